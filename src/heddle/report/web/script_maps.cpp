// Maps one at a time, chosen from a list: see script.hpp.
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kMapsScript = R"js(
const maps = (root, data) => {
  const list = data.maps.map((map) => ({from: map.from, label: map.label, note: map.note, queries: map.rows, keys: map.columns, packed: map.values, start: 0,
    rows: Array.from({length: map.rows}, (_, i) => map.row_names[i] ?? String(i)), columns: Array.from({length: map.columns}, (_, i) => map.column_names[i] ?? String(i))}));
  if (!list.length) return;
  const state = {map: 0, darkest: 1, query: -1, key: -1, pinned: false};
  const chosen = () => {
    const map = list[state.map];
    map.weights = map.weights || unpack(map.packed);
    return map;
  };
  const forget = () => Object.assign(state, {query: -1, key: -1, pinned: false});
  const bar = make("div", root, {class: "bar"});
  drop_down(bar, "Head", list.map((map) => map.label), 0, (i) => { state.map = i; forget(); show(); });
  choices(bar, "Darkest", ["a weight of one", "the largest here"], state.darkest, (i) => { state.darkest = i; show(); });
  const stage = make("div", root, {class: "stage"}), says = make("p", root, {class: "says", role: "status", "aria-live": "polite"});
  let mark = () => {};
  const now = () => state.query < 0 ? null : state;
  const tell = () => {
    says.replaceChildren();
    if (now()) tell_cell(says, chosen(), state, chosen().from + ".values");
    else says.append("Rest on a cell, or move with the arrow keys, to read a weight; click or Enter pins it, Escape lets go.");
  };
  const point = (query, key, click) => {
    if (state.pinned && !click) return;
    const same = state.query === query && state.key === key;
    Object.assign(state, {query, key, pinned: click ? !(state.pinned && same) : false});
    mark();
    tell();
  };
  const let_go = () => { state.pinned = false; mark(); tell(); };
  const show = () => {
    const map = chosen(), most = state.darkest ? map.weights.reduce((a, b) => b === masked ? a : Math.max(a, b), 1) / weight_unit : 1;
    stage.replaceChildren();
    make("p", stage, {class: "note"}, map.note);
    mark = weight_map(stage, map, picture_of(map, data.colours, most), Math.max(200, Math.min(map.keys > fine ? 560 : 420, stage.clientWidth - 60)), {now, point, let_go});
    tell();
  };
  show();
  follow_width(stage, show);
};
)js";

}  // namespace

std::string_view maps_script() {
  return kMapsScript;
}

}  // namespace heddle::report
