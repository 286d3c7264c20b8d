// The attention browser: see script.hpp.
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kAttentionScript = R"js(
const attention = (root, data) => {
  const pictures = data.pictures;
  if (!pictures.length) return;
  const state = {picture: Math.max(0, pictures.findIndex((p) => p.problems === 1)), level: "model", module: 0, head: 0, query: -1, key: -1, pinned: false};
  const effects = data.effects, roles = data.roles;
  // ── what is known of a head ──
  const effects_of = (name) => effects.head.map((head, i) => ({at: `${effects.from}.${i}`, head, mode: effects.mode[i], drop: effects.drop[i],
    low: effects.low[i], high: effects.high[i], band: effects.band[i]})).filter((effect) => effect.head === name);
  const roles_of = (name) => roles.head.map((head, i) => ({at: `${roles.from}.${i}`, head, role: roles.role[i], score: roles.score[i]})).filter((role) => role.head === name);
  const name_of = (grid, head) => /\.head\.\d+$/.test(grid.module) ? grid.module : `${grid.module}.head.${head}`;
  const note = (parent, name) => {
    const mean = effects_of(name).find((effect) => effect.mode === "mean"), words = roles_of(name).map((role) => role.role).join(", ");
    if (mean) parent.append("costs ", told.points(mean.drop, mean.at + ".drop"));
    parent.append(mean && words ? " · " + words : words || (mean ? "" : "\u00a0"));
  };
  const tokens = (grid, rows) => {
    const picture = pictures[state.picture], from_source = grid.module.startsWith("encoder") || (!rows && grid.module.includes("cross"));
    const list = from_source ? picture.source : picture.target;
    return Array.from({length: rows ? grid.queries : grid.keys}, (_, i) => list[i] === undefined ? String(i) : list[i]);
  };
  const map_of = (grid, h) => {
    grid.unpacked = grid.unpacked || unpack(grid.weights);
    return {label: label_of(name_of(grid, h)), queries: grid.queries, keys: grid.keys, weights: grid.unpacked, start: h * grid.queries * grid.keys,
      rows: tokens(grid, true), columns: tokens(grid, false)};
  };

  // ── the parts of the browser ──
  const bar = make("div", root, {class: "bar"});
  const names = pictures.map((p) => (p.problems > 1 ? "average: " : "") + p.name + (p.output ? " → " + p.output : ""));
  drop_down(bar, "Input", names, state.picture, (i) => { state.picture = i; state.module = Math.min(state.module, pictures[i].modules.length - 1); forget(); show(); });
  const path = make("div", bar, {class: "path", role: "group", "aria-label": "Model, module, head"});
  const key = make("span", bar, {class: "key"}, "no attention");
  make("i", key, {style: `background:linear-gradient(90deg,${data.colours.filter((_, i) => i % 10 === 0).join(",")})`});
  key.append("all of it");
  const stage = make("div", root, {class: "stage"});
  const says = make("p", root, {class: "says", role: "status", "aria-live": "polite"});
  const module = () => pictures[state.picture].modules[state.module];
  const forget = () => Object.assign(state, {query: -1, key: -1, pinned: false});
  let marks = [];  // what shows the chosen cell, one per map
  const tell = () => {
    says.replaceChildren();
    if (state.query < 0) {
      says.append(state.level === "model" ? "Choose a module or a head; arrow keys move between heads, Enter opens one."
        : "Rest on a cell, or move with the arrow keys, to read a weight; click or Enter pins it, Escape lets go.");
      return;
    }
    const map = map_of(module(), state.head);
    says.append(map.label + ": ");
    tell_cell(says, map, state, module().from + ".weights");
  };
  const point = (h, q, k, click) => {
    if (state.pinned && !click) return;
    const same = state.head === h && state.query === q && state.key === k;
    Object.assign(state, {head: h, query: q, key: k, pinned: click ? !(state.pinned && same) : false});
    marks.forEach((mark) => mark());
    tell();
  };
  const go = (level, m, h) => { Object.assign(state, {level, module: m, head: h}); forget(); show(true); };

  const add_map = (parent, grid, h, room) => {
    const map = map_of(grid, h), now = () => state.head === h && state.query >= 0 ? state : null;
    const let_go = () => { state.pinned = false; marks.forEach((mark) => mark()); tell(); };
    marks.push(weight_map(parent, map, picture_of(map, data.colours), room, {now, point: (q, k, click) => point(h, q, k, click), let_go}));
  };

  // ── the three levels ──
  const show_model = () => {
    const grids = pictures[state.picture].modules, most = Math.max(...grids.map((grid) => grid.heads));
    const table = make("div", stage, {class: "model", style: `--heads:${most}`}), thumbs = [];
    grids.forEach((grid, m) => {
      make("button", table, {type: "button", class: "module"}, label_of(grid.module)).addEventListener("click", () => go("module", m, 0));
      for (let h = 0; h < most; ++h) {
        if (h >= grid.heads) { make("span", table); thumbs.push(null); continue; }
        const thumb = make("button", table, {type: "button", class: "thumb"}), words = make("span", null, {class: "note"});
        make("img", thumb, {alt: label_of(name_of(grid, h)), style: `--shape:${grid.keys / grid.queries}`}).src = picture_of(map_of(grid, h), data.colours);
        note(words, name_of(grid, h));
        thumb.append(words);
        thumb.addEventListener("click", () => go("head", m, h));
        thumbs.push(thumb);
      }
    });
    table.addEventListener("keydown", (event) => {
      const step = {ArrowUp: -most, ArrowDown: most, ArrowLeft: -1, ArrowRight: 1}[event.key], at = thumbs.indexOf(document.activeElement);
      if (!step || at < 0) return;
      if (thumbs[at + step]) thumbs[at + step].focus();
      event.preventDefault();
    });
  };
  const show_module = () => {
    const grid = module(), maps = make("div", stage, {class: "maps"});
    const room = Math.max(150, Math.min(300, (stage.clientWidth - 60) / Math.min(grid.heads, 4) - 50));
    for (let h = 0; h < grid.heads; ++h) {
      const box = make("figure", maps), title = make("h3", box);
      make("button", title, {type: "button"}, label_of(name_of(grid, h))).addEventListener("click", () => go("head", state.module, h));
      note(make("p", box, {class: "note"}), name_of(grid, h));
      add_map(box, grid, h, room);
    }
  };
  const show_facts = (parent, name) => {
    const words = make("p", parent), roles_here = roles_of(name);
    words.append(roles_here.length ? "Role: " : "No role by the written rules.");
    roles_here.forEach((role, i) => words.append(i ? ", " : "", make("b", null, {}, role.role), " (score ", told.score(role.score, role.at + ".score"), ")"));
    const rows = effects_of(name);
    if (!rows.length) return;
    const table = make("table", parent);
    make("caption", table, {}, "What the answers lose without this head (percentage points)");
    const head = make("tr", make("thead", table));
    ["its output becomes", "drop", "interval", "band"].forEach((word) => make("th", head, {scope: "col"}, word));
    const body = make("tbody", table);
    for (const effect of rows) {
      const row = make("tr", body);
      make("td", row, {}, {mean: "its mean", zero: "zero", resample: "another problem’s"}[effect.mode] || effect.mode);
      make("td", row, {class: "n"}).append(told.points(effect.drop, effect.at + ".drop"));
      make("td", row, {class: "n"}).append(told.points_between(effect.low, effect.high, effect.at));
      make("td", row, {class: "tag " + effect.band}, effect.band);
    }
  };
  const show_head = () => {
    const grid = module(), box = make("div", stage, {class: "one"}), left = make("figure", box), name = name_of(grid, state.head);
    make("h3", left, {}, label_of(name));
    add_map(left, grid, state.head, Math.max(200, Math.min(grid.keys > fine ? 560 : 330, stage.clientWidth - 60)));
    show_facts(make("div", box, {class: "facts"}), name);
  };
  const show_path = () => {
    path.replaceChildren();
    const step = (text, on, click) => make("button", path, {type: "button", "aria-current": on ? "step" : "false"}, text).addEventListener("click", click);
    step("All heads", state.level === "model", () => go("model", state.module, 0));
    if (state.level !== "model") step(label_of(module().module), state.level === "module", () => go("module", state.module, 0));
    if (state.level === "head") step("H" + name_of(module(), state.head).split(".").pop(), true, () => {});
  };
  const show = (focus) => {
    marks = [];
    stage.replaceChildren();
    show_path();
    ({model: show_model, module: show_module, head: show_head})[state.level]();
    tell();
    const first = stage.querySelector(state.level === "model" ? ".thumb" : "svg.map");
    if (focus && first) first.focus({preventScroll: true});
  };
  show();
  follow_width(stage, () => show());
};
)js";

}  // namespace

std::string_view attention_script() {
  return kAttentionScript;
}

}  // namespace heddle::report
