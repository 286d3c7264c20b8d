// The script of the page: see page.hpp.
#include "heddle/report/page.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kScript = R"js("use strict";
(() => {
  // Where a number comes from, beside the pointer.
  let tip = null;
  const hide = () => { if (tip) tip.remove(); tip = null; };
  document.addEventListener("pointerover", (event) => {
    hide();
    const at = event.target.closest && event.target.closest("data[data-from]");
    if (!at || at.dataset.how === "rank") return;
    const from = at.dataset.from.split(" ");
    tip = document.createElement("div");
    tip.id = "source";
    tip.textContent = (at.dataset.how === "constant" ? "fixed: " : "results.json: ") + from.slice(0, 3).join(", ") +
      (from.length > 3 ? ", … (" + from.length + " values)" : "");
    document.body.append(tip);
    const box = at.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(box.left, innerWidth - tip.offsetWidth - 4)) + "px";
    tip.style.top = (box.top > tip.offsetHeight + 8 ? box.top - tip.offsetHeight - 5 : box.bottom + 5) + "px";
  });
  document.addEventListener("scroll", hide, {passive: true});

  // The attention browser.
  const root = document.getElementById("browser"), store = document.getElementById("attention-data");
  if (!root || !store) return;
  const data = JSON.parse(store.textContent), svgns = "http://www.w3.org/2000/svg";
  if (!data.pictures.length) return;
  const state = {picture: data.start, module: 0, head: 0, query: -1, key: -1, pinned: false};
  const make = (tag, parent, set = {}, text = "") => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(set)) node.setAttribute(name, value);
    node.textContent = text;
    parent.append(node);
    return node;
  };
  const draw = (tag, parent, set, text) => {
    const node = document.createElementNS(svgns, tag);
    for (const [name, value] of Object.entries(set)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    parent.append(node);
    return node;
  };
  const bar = make("div", root, {class: "bar"});
  const choose = make("select", make("label", bar, {}, "Input "), {"aria-label": "Input"});
  data.pictures.forEach((p, i) => make("option", choose, {value: i}, p.name + (p.output ? " → " + p.output : "")));
  choose.value = state.picture;
  const buttons = make("div", bar, {class: "bar", role: "group", "aria-label": "Module", style: "margin:0"});
  const maps = make("div", root, {class: "maps"});
  const says = make("p", root, {class: "says", role: "status", "aria-live": "polite"});
  const module = () => data.pictures[state.picture].modules[state.module];
  const weight = (m, h, q, k) => m.weights[(h * m.queries + q) * m.keys + k];
  const tell = () => {
    const m = module();
    if (state.query < 0) {
      says.textContent = "Rest on a cell, or move with the arrow keys, to read a weight; click or Enter pins it.";
      return;
    }
    const value = weight(m, state.head, state.query, state.key);
    says.textContent = m.labels[state.head] + ": " + m.rows[state.query] + " (position " + state.query + ") reads " + m.columns[state.key] +
      " (position " + state.key + ") with weight " + (value === null ? "masked" : value.toFixed(4)) + (state.pinned ? ", pinned" : "");
  };
  const mark = () => root.querySelectorAll("rect[data-q]").forEach((cell) => {
    const on = +cell.dataset.h === state.head && +cell.dataset.q === state.query && +cell.dataset.k === state.key;
    cell.setAttribute("stroke", on ? "#d9772b" : "none");
    cell.setAttribute("stroke-width", on ? 3 : 0);
  });
  const point = (h, q, k, pin) => {
    if (state.pinned && !pin) return;
    Object.assign(state, {head: h, query: q, key: k, pinned: pin === true ? !(state.pinned && state.head === h && state.query === q && state.key === k) : state.pinned});
    mark();
    tell();
  };
  const map = (m, h) => {
    const box = make("figure", maps), room = Math.max(150, (root.clientWidth - 100) / Math.min(4, m.heads)),
      cell = Math.max(3, Math.min(26, Math.floor((room - 36) / m.keys))), left = 34, below = 22;
    make("h3", box, {}, m.labels[h]);
    make("p", box, {class: "note"}, m.notes[h] || "\u00a0");
    const wide = left + m.keys * cell + 2, high = m.queries * cell + below;
    const svg = draw("svg", box, {viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, tabindex: 0, role: "img",
      "aria-label": m.labels[h] + ", " + m.queries + " queries by " + m.keys + " keys; arrow keys read the weights"});
    for (let q = 0; q < m.queries; ++q) {
      if (cell > 8) draw("text", svg, {x: left - 5, y: (q + .5) * cell + 4, "font-size": 11, "text-anchor": "end", fill: "currentColor"}, m.rows[q]);
      for (let k = 0; k < m.keys; ++k) {
        const value = weight(m, h, q, k);
        draw("rect", svg, {x: left + k * cell, y: q * cell, width: cell, height: cell, "data-h": h, "data-q": q, "data-k": k,
          fill: value === null ? "url(#hatch)" : data.colours[Math.round(value * (data.colours.length - 1))]});
      }
    }
    if (cell > 8) for (let k = 0; k < m.keys; ++k)
      draw("text", svg, {x: left + (k + .5) * cell, y: high - 6, "font-size": 11, "text-anchor": "middle", fill: "currentColor"}, m.columns[k]);
    draw("rect", svg, {x: left, y: 0, width: m.keys * cell, height: m.queries * cell, fill: "none", stroke: "#9aa4af"});
    const at = (event) => event.target.dataset && event.target.dataset.q !== undefined;
    svg.addEventListener("pointerover", (event) => { if (at(event)) point(h, +event.target.dataset.q, +event.target.dataset.k, false); });
    svg.addEventListener("click", (event) => { if (at(event)) point(h, +event.target.dataset.q, +event.target.dataset.k, true); });
    svg.addEventListener("keydown", (event) => {
      const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
      if (event.key === "Enter" || event.key === " ") point(h, Math.max(0, state.query), Math.max(0, state.key), true);
      else if (event.key === "Escape") { state.pinned = false; tell(); }
      else if (step) {
        state.pinned = false;
        const inside = state.head === h && state.query >= 0;
        point(h, inside ? Math.min(m.queries - 1, Math.max(0, state.query + step[0])) : 0, inside ? Math.min(m.keys - 1, Math.max(0, state.key + step[1])) : 0, false);
      } else return;
      event.preventDefault();
    });
  };
  const show = () => {
    Object.assign(state, {head: 0, query: -1, key: -1, pinned: false});
    maps.replaceChildren();
    buttons.replaceChildren();
    data.pictures[state.picture].modules.forEach((m, i) => {
      const button = make("button", buttons, {type: "button", "aria-pressed": i === state.module}, m.label);
      button.addEventListener("click", () => { state.module = i; show(); });
    });
    const m = module();
    if (m) for (let h = 0; h < m.heads; ++h) map(m, h);
    if (m) tell();
  };
  choose.addEventListener("change", () => { state.picture = +choose.value; state.module = Math.min(state.module, data.pictures[state.picture].modules.length - 1); show(); });
  show();
})();
)js";

}  // namespace

std::string_view page_script() {
  return kScript;
}

}  // namespace heddle::report
