// Starts what moves on the page: each widget finds its data in the element that follows it.
import { start_attention } from "./attention.js";
import { start_lengths } from "./lengths.js";
import { start_maps } from "./maps.js";
import { start_pruning } from "./pruning.js";
import { show_sources } from "./source_tip.js";

/**
 * @template Data
 * @param {string} name
 * @param {(root: Element, data: Data) => void} start
 */
function start_widget(name, start) {
  const root = document.getElementById(name + "-widget");
  const data = document.getElementById(name + "-data");
  if (root && data) start(root, JSON.parse(data.textContent ?? ""));
}

show_sources();
start_widget("attention", start_attention);
start_widget("pruning", start_pruning);
start_widget("lengths", start_lengths);
start_widget("maps", start_maps);
