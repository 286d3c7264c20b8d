// Where a number comes from, beside the pointer that rests on it.
import { clamp, make } from "./elements.js";

const most_shown = 3; // paths; of more it says how many there are

/**
 * @param {string} how
 * @param {string[]} from
 */
function words_of_source(how, from) {
  const start = how === "constant" ? "fixed: " : "results.json: ";
  const rest = from.length > most_shown ? `, … (${from.length} values)` : "";
  return start + from.slice(0, most_shown).join(", ") + rest;
}

/**
 * Above the number, or below it where there is no room.
 * @param {HTMLElement} tip
 * @param {DOMRect} box
 */
function place_beside(tip, box) {
  const above = box.top > tip.offsetHeight + 8;
  tip.style.left = clamp(box.left, 4, Math.max(4, innerWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = (above ? box.top - tip.offsetHeight - 5 : box.bottom + 5) + "px";
}

/** Shows the source of whichever number the pointer rests on. */
export function show_sources() {
  /** @type {HTMLElement | null} */
  let tip = null;
  const hide = () => {
    if (tip) tip.remove();
    tip = null;
  };
  document.addEventListener("pointerover", (event) => {
    hide();
    const node = event.target instanceof Element ? event.target.closest("data[data-from]") : null;
    if (!(node instanceof HTMLElement)) return;
    const { how = "", from = "" } = node.dataset;
    if (how === "rank") return;
    tip = make("div", document.body, { id: "source" }, words_of_source(how, from.split(" ")));
    place_beside(tip, node.getBoundingClientRect());
  });
  document.addEventListener("scroll", hide, { passive: true });
}
