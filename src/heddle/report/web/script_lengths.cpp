// The extrapolation curves with their switches: see script.hpp.
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kLengthsScript = R"js(
const lengths = (root, data) => {
  const populations = data.populations, view_of = (set) => set.kind + (set.delta > 0 ? " by " + set.delta : "") + ", " + set.values + " values";
  if (!populations.length) return;
  const distinct = (list) => [...new Set(list)];
  const poolings = distinct(populations.map((population) => population.pooling)), encodings = distinct(populations.map((population) => population.position));
  const views = distinct(populations.flatMap((population) => population.sets.map(view_of)));
  const lead = populations.find((population) => population.group === "recipe") || populations[0];
  const state = {pooling: poolings.indexOf("mean") >= 0 ? poolings.indexOf("mean") : 0, view: Math.max(0, views.findIndex((view) => view.startsWith(data.opens_with.kind))),
    off: new Set(), reports: false, line: 0, point: -1, pinned: false};
  if (lead) state.view = Math.max(0, views.indexOf(view_of(lead.sets.find((set) => set.kind === data.opens_with.kind) || lead.sets[0])));
  const again = () => { state.point = -1; state.pinned = false; show(); };
  const bar = make("div", root, {class: "bar"});
  choices(bar, "Pooling", [...poolings, "all"], state.pooling, (i) => { state.pooling = i; again(); });
  drop_down(bar, "Unsorted ones", views, state.view, (i) => { state.view = i; again(); });
  const boxes = make("div", root, {class: "bar", role: "group", "aria-label": "Encodings"});
  make("span", boxes, {class: "choices-label"}, "Encodings");
  const tick = (text, on, ink, change) => {
    const box = make("label", boxes, {class: "tick-box"}), input = make("input", box, {type: "checkbox"});
    input.checked = on;
    if (ink) make("span", box, {class: "swatch", style: `background:var(--${ink})`});
    make("span", box, {}, text);
    input.addEventListener("change", () => { change(input.checked); again(); });
  };
  const ink_of = (position) => "s" + encodings.indexOf(position) % 6;
  for (const position of encodings) tick(position, true, ink_of(position), (on) => on ? state.off.delete(position) : state.off.add(position));
  if (populations.some((population) => population.group === "reports")) tick("with the reports’ own models", false, "", (on) => { state.reports = on; });
  const stage = make("div", root, {class: "stage"});
  const says = make("p", root, {class: "says", role: "status", "aria-live": "polite"});
  let plot = null, lines = [];
  const dashes = ["none", "7 3", "2 2", "9 3 2 3"];
  const pick = () => {
    const shown = populations.filter((population) => (state.pooling === poolings.length || population.pooling === poolings[state.pooling]) &&
      !state.off.has(population.position) && (state.reports || population.group !== "reports"));
    const seen = {};
    return shown.flatMap((population) => {
      const set = population.sets.find((one) => view_of(one) === views[state.view]);
      if (!set) return [];
      const nth = seen[population.position] = (seen[population.position] ?? -1) + 1;
      const points = set.length.map((length, i) => ({x: length, y: set.median[i], low: set.low[i], high: set.high[i], worst: set.worst[i], seeds: set.seeds[i],
        at: `${set.from}.${set.at[i]}`})).sort((a, b) => a.x - b.x);
      return [{name: population.recipe, ink: ink_of(population.position), dash: dashes[nth % dashes.length], points, reads: population.reads_order}];
    });
  };
  const tell = () => {
    const line = lines[state.line], at = line && line.points[state.point];
    plot.mark(at);
    says.replaceChildren();
    if (!at) {
      says.append(lines.length ? "Rest on a point, or move with the arrow keys, to read it; click or Enter pins it." : "Nothing was measured for this choice.");
      return;
    }
    says.append(make("b", null, {}, line.name), line.reads ? " (its pooling reads order)" : "", " at length ", told.whole(at.x, at.at + ".length"), ": median ", told.percent(at.y, at.at + ".median"), " ",
      told.percent_between(at.low, at.high, at.at), ", worst seed ", told.percent(at.worst, at.at + ".worst"), ", ", told.whole(at.seeds, at.at + ".seeds"), at.seeds === 1 ? " seed" : " seeds",
      state.pinned ? ", pinned" : "");
  };
  const show = () => {
    lines = pick();
    stage.replaceChildren();
    const all = lines.flatMap((line) => line.points), xs = all.map((point) => point.x), least = Math.min(.4, ...all.filter((point) => known(point.low)).map((point) => point.low));
    const low = Math.min(data.train_shortest, ...xs), high = Math.max(data.train_longest, ...xs);
    const octaves = Array.from({length: 31}, (_, i) => 2 ** i).filter((value) => value >= low && value <= high);
    plot = chart(stage, {label: `Accuracy against length, ${views[state.view]}`, high: 340, x: {log: true, low, high, ticks: octaves, label: "length (log axis)"},
      y: {low: Math.max(0, Math.floor(10 * least + 1e-9) / 10), high: 1, label: "accuracy"}, shade: [data.train_shortest, data.train_longest], lines});
    const take = (near) => { if (near) { state.line = near.line; state.point = near.point; tell(); } };
    plot.svg.addEventListener("pointermove", (event) => { if (!state.pinned) take(plot.nearest(event)); });
    plot.svg.addEventListener("click", (event) => { state.pinned = !state.pinned; take(plot.nearest(event)); });
    plot.svg.addEventListener("keydown", (event) => {
      const along = {ArrowRight: 1, ArrowLeft: -1}[event.key], over = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (!lines.length) return;
      if (event.key === "Enter" || event.key === " ") state.pinned = !state.pinned;
      else if (event.key === "Escape") state.pinned = false;
      else if (along || over) {
        state.line = (state.line + (over || 0) + lines.length) % lines.length;
        state.point = Math.min(lines[state.line].points.length - 1, Math.max(0, state.point + (along || 0)));
      } else return;
      tell();
      event.preventDefault();
    });
    tell();
  };
  show();
  follow_width(stage, show);
};
)js";

}  // namespace

std::string_view lengths_script() {
  return kLengthsScript;
}

}  // namespace heddle::report
