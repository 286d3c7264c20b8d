// Maps of weights that the reader moves over: see script.hpp.
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

// A map has `queries` × `keys` weights from `start` on, names of its `rows` and `columns`, and a
// `label`. `now()` gives the chosen cell (query, key, pinned) or nothing; point(query, key, click)
// and let_go() are called when the reader chooses.
constexpr std::string_view kMapScript = R"js(
const masked = 65535, weight_unit = 1e4, fine = 64;
// Two bytes a weight, the lower one first.
const unpack = (letters) => {
  const bytes = atob(letters);
  return Uint16Array.from({length: bytes.length / 2}, (_, i) => bytes.charCodeAt(2 * i) + 256 * bytes.charCodeAt(2 * i + 1));
};
const weight_at = (map, query, key) => {
  const value = map.weights[map.start + query * map.keys + key];
  return value === masked ? null : value / weight_unit;
};
// One pixel a cell; the page makes it larger without smoothing. `most` is the darkest weight.
const picture_of = (map, colours, most = 1) => {
  const shades = colours.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const canvas = fill(document.createElement("canvas"), {width: map.keys, height: map.queries}), ink = canvas.getContext("2d");
  const pixels = ink.createImageData(map.keys, map.queries);
  for (let i = 0; i < map.queries * map.keys; ++i) {
    const value = map.weights[map.start + i], share = Math.min(1, value / weight_unit / most);
    pixels.data.set(value === masked ? [208, 214, 220, 255] : [...shades[Math.round(share * (shades.length - 1))], 255], 4 * i);
  }
  ink.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
};
// Draws it; gives a function that shows the chosen cell.
const weight_map = (parent, map, picture, room, {now, point, let_go}) => {
  const cell = Math.max(1.5, Math.min(30, room / Math.max(map.keys, map.queries))), top = 6, width = cell * map.keys, height = cell * map.queries;
  const left = 12 + 7 * Math.min(6, Math.max(...map.rows.map((row) => row.length)));
  const svg = draw("svg", parent, {viewBox: `0 ${-top} ${left + width + 6} ${top + height + 22}`, width: left + width + 6, height: top + height + 22, class: "map", tabindex: 0,
    role: "img", "aria-label": `${map.label}: ${map.queries} queries by ${map.keys} keys; arrow keys read the weights, Enter pins`});
  draw("image", svg, {x: left, y: 0, width, height, preserveAspectRatio: "none", href: picture, style: "image-rendering:pixelated"});
  if (map.keys <= fine) for (let q = 0; q < map.queries; ++q) for (let k = 0; k < map.keys; ++k)
    if (weight_at(map, q, k) === null) draw("rect", svg, {x: left + k * cell, y: q * cell, width: cell, height: cell, fill: "url(#hatch)"});
  const every = Math.ceil(13 / cell), apart = Math.ceil((4 + 7 * Math.max(...map.columns.map((column) => column.length))) / cell);
  for (let q = 0; q < map.queries; q += every) draw("text", svg, {x: left - 5, y: (q + .5) * cell + 4, "text-anchor": "end", class: "tick"}, map.rows[q]);
  for (let k = 0; k < map.keys; k += apart) draw("text", svg, {x: left + (k + .5) * cell, y: height + 15, "text-anchor": "middle", class: "tick"}, map.columns[k]);
  draw("rect", svg, {x: left, y: 0, width, height, fill: "none", class: "frame"});
  const row = draw("rect", svg, {x: left, width, height: cell, class: "cross"}), column = draw("rect", svg, {y: 0, width: cell, height, class: "cross"});
  const ring = draw("rect", svg, {width: cell, height: cell, class: "mark"});
  const cell_at = (event) => {
    const box = svg.getBoundingClientRect(), scale = (left + width + 6) / box.width;
    const k = Math.floor(((event.clientX - box.left) * scale - left) / cell), q = Math.floor(((event.clientY - box.top) * scale - top) / cell);
    return q >= 0 && k >= 0 && q < map.queries && k < map.keys ? [q, k] : null;
  };
  svg.addEventListener("pointermove", (event) => { const at = cell_at(event); if (at) point(...at, false); });
  svg.addEventListener("click", (event) => { const at = cell_at(event); if (at) point(...at, true); });
  svg.addEventListener("keydown", (event) => {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key], at = now();
    if (event.key === "Enter" || event.key === " ") point(at ? at.query : 0, at ? at.key : 0, true);
    else if (event.key === "Escape") let_go();
    else if (step) {
      let_go();
      point(at ? Math.min(map.queries - 1, Math.max(0, at.query + step[0])) : 0, at ? Math.min(map.keys - 1, Math.max(0, at.key + step[1])) : 0, false);
    } else return;
    event.preventDefault();
  });
  const mark = () => {
    const at = now();
    [row, column, ring].forEach((part) => part.setAttribute("visibility", at ? "visible" : "hidden"));
    if (!at) return;
    fill(row, {y: at.query * cell});
    fill(column, {x: left + at.key * cell});
    fill(ring, {x: left + at.key * cell, y: at.query * cell, class: at.pinned ? "mark pinned" : "mark"});
  };
  mark();
  return mark;
};
// "query 8 (position 2) reads key 1 (position 6) with weight 0.1234"; `at` is the place of the weights.
const tell_cell = (parent, map, {query, key, pinned}, at) => {
  const value = weight_at(map, query, key);
  parent.append("query ", make("b", null, {}, map.rows[query]), ` (position ${query}) reads key `, make("b", null, {}, map.columns[key]), ` (position ${key}) with weight `,
    value === null ? "none: masked" : told.weight(value, `${at}.${map.start + query * map.keys + key}`), pinned ? ", pinned" : "");
};
)js";

}  // namespace

std::string_view map_script() {
  return kMapScript;
}

}  // namespace heddle::report
