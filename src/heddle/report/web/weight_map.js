// Maps of weights whose cells are read by pointer or keyboard.
import { clamp, draw, fill, make } from "./elements.js";
import { print } from "./numbers.js";

/**
 * @typedef {object} WeightMap
 * @property {string} label
 * @property {number} queries
 * @property {number} keys
 * @property {Uint16Array} weights ten-thousandths, query by query
 * @property {number} start where this map begins among them
 * @property {string[]} rows names of the queries
 * @property {string[]} columns names of the keys
 *
 * @typedef {{query: number, key: number, pinned: boolean}} Cell
 *
 * @typedef {object} Reader what a map asks and tells its widget
 * @property {() => Cell | null} chosen
 * @property {(query: number, key: number, click: boolean) => void} point
 * @property {() => void} let_go
 *
 * @typedef {object} MapFrame where the cells stand on the screen
 * @property {SVGSVGElement} svg
 * @property {number} cell
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 */

export const masked_weight = 65535;
export const weight_unit = 1e4;
/** Maps of more keys are drawn finer, without hatching. */
export const most_coarse_keys = 64;
/** What can be done with a map of which no cell is chosen. */
export const map_hint =
  "Rest on a cell, or move with the arrow keys, to read a weight; " +
  "click or Enter pins it, Escape lets go.";
const masked_colour = [208, 214, 220, 255];

/**
 * Weights from letters: two bytes a weight, the lower one first.
 * @param {string} letters
 */
export function unpack(letters) {
  const bytes = atob(letters);
  const byte = (/** @type {number} */ i) => bytes.charCodeAt(i);
  const length = bytes.length / 2;
  return Uint16Array.from({ length }, (_, i) => byte(2 * i) + 256 * byte(2 * i + 1));
}

/**
 * Null where it is masked.
 * @param {WeightMap} map
 * @param {number} query
 * @param {number} key
 */
function weight_at(map, query, key) {
  const value = map.weights[map.start + query * map.keys + key] ?? masked_weight;
  return value === masked_weight ? null : value / weight_unit;
}

/**
 * The address of a picture with one pixel a cell, which the page enlarges without smoothing.
 * @param {WeightMap} map
 * @param {string[]} colours from nothing to all
 * @param {number} [most] the weight that is darkest
 */
export function picture_of(map, colours, most = 1) {
  const shades = colours.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const canvas = make("canvas", null, { width: map.keys, height: map.queries });
  const context = canvas.getContext("2d");
  if (!context) return "";
  const pixels = context.createImageData(map.keys, map.queries);
  for (let i = 0; i < map.queries * map.keys; ++i) {
    const value = map.weights[map.start + i] ?? masked_weight;
    const share = Math.min(1, value / weight_unit / most);
    const shade = shades[Math.round(share * (shades.length - 1))] ?? [];
    pixels.data.set(value === masked_weight ? masked_colour : [...shade, 255], 4 * i);
  }
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}

/** @param {string[]} words */
function longest(words) {
  return Math.max(...words.map((word) => word.length));
}

/**
 * @param {Element} parent
 * @param {WeightMap} map
 * @param {number} room points on the screen for the longer side
 * @returns {MapFrame}
 */
function make_map_frame(parent, map, room) {
  const cell = clamp(room / Math.max(map.keys, map.queries), 1.5, 30);
  const left = 12 + 7 * Math.min(6, longest(map.rows));
  const top = 6;
  const [width, height] = [cell * map.keys, cell * map.queries];
  const svg = draw("svg", parent, {
    viewBox: `0 ${-top} ${left + width + 6} ${top + height + 22}`,
    width: left + width + 6,
    height: top + height + 22,
    class: "map",
    tabindex: 0,
    role: "img",
    "aria-label":
      `${map.label}: ${map.queries} queries by ${map.keys} keys; ` +
      "arrow keys read the weights, Enter pins",
  });
  return { svg, cell, left, top, width, height };
}

/**
 * @param {MapFrame} frame
 * @param {WeightMap} map
 */
function hatch_masked({ svg, cell, left }, map) {
  if (map.keys > most_coarse_keys) return;
  for (let query = 0; query < map.queries; ++query)
    for (let key = 0; key < map.keys; ++key) {
      if (weight_at(map, query, key) !== null) continue;
      const place = { x: left + key * cell, y: query * cell, width: cell, height: cell };
      draw("rect", svg, { ...place, fill: "url(#hatch)" });
    }
}

/**
 * As many names as there is room for.
 * @param {MapFrame} frame
 * @param {WeightMap} map
 */
function draw_map_names({ svg, cell, left, height }, map) {
  const rows_apart = Math.ceil(13 / cell);
  const columns_apart = Math.ceil((4 + 7 * longest(map.columns)) / cell);
  for (let query = 0; query < map.queries; query += rows_apart) {
    const place = { x: left - 5, y: (query + 0.5) * cell + 4 };
    draw("text", svg, { ...place, "text-anchor": "end", class: "tick" }, map.rows[query]);
  }
  for (let key = 0; key < map.keys; key += columns_apart) {
    const place = { x: left + (key + 0.5) * cell, y: height + 15 };
    draw("text", svg, { ...place, "text-anchor": "middle", class: "tick" }, map.columns[key]);
  }
}

/**
 * The cell under the pointer, null beside the map.
 * @param {MapFrame} frame
 * @param {WeightMap} map
 * @param {MouseEvent} event
 */
function cell_under({ svg, cell, left, top, width }, map, event) {
  const box = svg.getBoundingClientRect();
  const enlarged = (left + width + 6) / box.width;
  const key = Math.floor(((event.clientX - box.left) * enlarged - left) / cell);
  const query = Math.floor(((event.clientY - box.top) * enlarged - top) / cell);
  const inside = query >= 0 && key >= 0 && query < map.queries && key < map.keys;
  return inside ? { query, key } : null;
}

/** @type {Record<string, [number, number]>} */
const steps_by_key = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * @param {WeightMap} map
 * @param {Reader} reader
 * @param {KeyboardEvent} event
 */
function read_by_key(map, reader, event) {
  const at = reader.chosen();
  const step = steps_by_key[event.key];
  if (event.key === "Enter" || event.key === " ") {
    reader.point(at ? at.query : 0, at ? at.key : 0, true);
  } else if (event.key === "Escape") {
    reader.let_go();
  } else if (step) {
    const [down, across] = step;
    const query = at ? clamp(at.query + down, 0, map.queries - 1) : 0;
    const key = at ? clamp(at.key + across, 0, map.keys - 1) : 0;
    reader.let_go();
    reader.point(query, key, false);
  } else {
    return;
  }
  event.preventDefault();
}

/**
 * @param {MapFrame} frame
 * @param {WeightMap} map
 * @param {Reader} reader
 */
function listen(frame, map, reader) {
  const { svg } = frame;
  svg.addEventListener("pointermove", (event) => {
    const at = cell_under(frame, map, event);
    if (at) reader.point(at.query, at.key, false);
  });
  svg.addEventListener("click", (event) => {
    const at = cell_under(frame, map, event);
    if (at) reader.point(at.query, at.key, true);
  });
  svg.addEventListener("keydown", (event) => read_by_key(map, reader, event));
}

/**
 * What shows the chosen cell: its row, its column and a ring.
 * @param {MapFrame} frame
 * @param {Reader} reader
 */
function make_marker({ svg, cell, left, width, height }, reader) {
  const row = draw("rect", svg, { x: left, width, height: cell, class: "cross" });
  const column = draw("rect", svg, { y: 0, width: cell, height, class: "cross" });
  const ring = draw("rect", svg, { width: cell, height: cell, class: "mark" });
  return () => {
    const at = reader.chosen();
    for (const part of [row, column, ring]) fill(part, { visibility: at ? "visible" : "hidden" });
    if (!at) return;
    const [x, y] = [left + at.key * cell, at.query * cell];
    fill(row, { y });
    fill(column, { x });
    fill(ring, { x, y, class: at.pinned ? "mark pinned" : "mark" });
  };
}

/**
 * Draws a map and gives the function that shows its chosen cell.
 * @param {Element} parent
 * @param {WeightMap} map
 * @param {string} picture its address
 * @param {number} room points on the screen for the longer side
 * @param {Reader} reader
 */
export function weight_map(parent, map, picture, room, reader) {
  const frame = make_map_frame(parent, map, room);
  const { svg, left, width, height } = frame;
  draw("image", svg, {
    x: left,
    y: 0,
    width,
    height,
    preserveAspectRatio: "none",
    href: picture,
    style: "image-rendering:pixelated",
  });
  hatch_masked(frame, map);
  draw_map_names(frame, map);
  draw("rect", svg, { x: left, y: 0, width, height, fill: "none", class: "frame" });
  const mark = make_marker(frame, reader);
  listen(frame, map, reader);
  mark();
  return mark;
}

/**
 * "query 8 (position 2) reads key 1 (position 6) with weight 0.1234".
 * @param {Element} parent
 * @param {WeightMap} map
 * @param {Cell} cell
 * @param {string} at the path of the weights in results.json
 */
export function describe_cell(parent, map, { query, key, pinned }, at) {
  const value = weight_at(map, query, key);
  const place = `${at}.${map.start + query * map.keys + key}`;
  parent.append(
    "query ",
    make("b", null, {}, map.rows[query]),
    ` (position ${query}) reads key `,
    make("b", null, {}, map.columns[key]),
    ` (position ${key}) with weight `,
    value === null ? "none: masked" : print.weight(value, place),
    pinned ? ", pinned" : "",
  );
}
