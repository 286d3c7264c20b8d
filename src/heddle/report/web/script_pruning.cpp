// The pruning curve with its slider: see script.hpp.
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kPruningScript = R"js(
const pruning = (root, data) => {
  const members = data.members;
  if (!members.length) return;
  const state = {member: Math.max(0, members.findIndex((member) => member.specimen)), order: 0, gone: 0};
  const curves = () => members[state.member].curves, curve = () => curves()[Math.min(state.order, curves().length - 1)];
  const bar = make("div", root, {class: "bar"});
  drop_down(bar, "Member", members.map((member) => `${member.recipe}, seed ${member.seed}` + (member.defect ? " (defect)" : "")), state.member,
    (i) => { state.member = i; show(); });
  const orders = make("div", bar);
  const stage = make("div", root, {class: "stage"});
  const row = make("label", root, {class: "slide"});
  make("span", row, {}, "Heads gone");
  const slider = make("input", row, {type: "range", min: 0, step: 1, value: 0, "aria-label": "Heads gone"});
  const says = make("p", root, {class: "says", role: "status", "aria-live": "polite"});
  const grid = make("div", root, {class: "heads", role: "img"});
  let plot = null;
  const points_of = (one) => one.points.heads_left.map((left, i) => ({x: left, y: one.points["scored.total"][i] > 0 ? one.points["scored.correct"][i] / one.points["scored.total"][i] : null,
    low: one.points.low[i], high: one.points.high[i]}));
  // A row for each module, a square for each head; what is gone is hatched.
  const show_heads = () => {
    const all = [...new Set(curves().flatMap((one) => one.points.cut))].filter((name) => name).sort(), gone = curve().points.cut.slice(1, state.gone + 1);
    const module_of = (name) => name.replace(/\.head\.\d+$/, "");
    const modules = [...new Set(all.map(module_of))].sort((a, b) => (b[0] === "e") - (a[0] === "e") || (a.endsWith("cross") - b.endsWith("cross")) || (a < b ? -1 : 1));
    grid.replaceChildren();
    grid.setAttribute("aria-label", gone.length ? "Gone: " + gone.map(label_of).join(", ") : "No head is gone");
    for (const module of modules) {
      const line = make("div", grid, {class: "heads-row"});
      make("span", line, {class: "note"}, label_of(module));
      for (const name of all.filter((name) => module_of(name) === module))
        make("span", line, {class: "head" + (gone.includes(name) ? " gone" : "") + (gone.at(-1) === name ? " last" : ""), title: label_of(name), "data-head": name}, "H" + name.split(".").pop());
    }
  };
  const tell = () => {
    const one = curve(), i = state.gone, at = `${one.points.from}.${i}`, left = one.points.heads_left[i];
    says.replaceChildren(told.whole(left, at + ".heads_left"), left === 1 ? " head left: " : " heads left: ",
      told.of(one.points["scored.correct"][i], one.points["scored.total"][i], at + ".scored"), " right, ",
      told.share(one.points["scored.correct"][i], one.points["scored.total"][i], at + ".scored"), " ",
      told.percent_between(one.points.low[i], one.points.high[i], at), one.points.cut[i] ? ". The last to go: " + label_of(one.points.cut[i]) + "." : ". The intact member.");
    slider.setAttribute("aria-valuetext", says.textContent);
    plot.mark(points_of(one)[i]);
    show_heads();
  };
  const show = () => {
    const many = curve().points.heads_left.length - 1;
    state.order = Math.min(state.order, curves().length - 1);
    state.gone = Math.min(state.gone, many);
    fill(slider, {max: many});
    slider.value = state.gone;
    orders.replaceChildren();
    choices(orders, "Heads go by", curves().map((one) => one.by), state.order, (i) => { state.order = i; show(); });
    stage.replaceChildren();
    const lines = curves().map((one, i) => ({name: one.by, ink: "s" + i, faint: i !== state.order, points: points_of(one)}));
    const lefts = curve().points.heads_left, low = Math.min(...lefts), high = Math.max(...lefts);
    plot = chart(stage, {label: "Answers right against heads left", high: 260, x: {low, high, falls: true, ticks: lefts.filter((left) => left % 4 === 0), label: "heads left"},
      y: {low: 0, high: 1, label: "answers right"}, lines: [...lines.filter((line) => line.faint), ...lines.filter((line) => !line.faint)]});
    plot.svg.addEventListener("pointermove", (event) => { const near = plot.nearest(event); if (event.buttons && near) { slider.value = state.gone = near.point; tell(); } });
    plot.svg.addEventListener("pointerdown", (event) => { const near = plot.nearest(event); if (near) { slider.value = state.gone = near.point; tell(); } });
    plot.svg.addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      slider.value = state.gone = Math.min(many, Math.max(0, state.gone + step));
      tell();
      event.preventDefault();
    });
    tell();
  };
  slider.addEventListener("input", () => { state.gone = +slider.value; tell(); });
  show();
  follow_width(stage, show);
};
)js";

}  // namespace

std::string_view pruning_script() {
  return kPruningScript;
}

}  // namespace heddle::report
