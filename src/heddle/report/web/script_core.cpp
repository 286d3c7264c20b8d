// What every part of the page's script uses: see script.hpp.
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kCoreScript = R"js(
// ── elements ──
const fill = (node, set, text) => {
  for (const [name, value] of Object.entries(set)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
};
const make = (tag, parent, set = {}, text) => {
  const node = fill(document.createElement(tag), set, text);
  if (parent) parent.append(node);
  return node;
};
const draw = (tag, parent, set = {}, text) => {
  const node = fill(document.createElementNS("http://www.w3.org/2000/svg", tag), set, text);
  parent.append(node);
  return node;
};
// A row of buttons of which one is pressed.
const choices = (parent, label, names, chosen, choose) => {
  const group = make("div", parent, {class: "choices", role: "group", "aria-label": label});
  make("span", group, {class: "choices-label"}, label);
  names.forEach((name, i) => {
    const button = make("button", group, {type: "button", "aria-pressed": i === chosen}, name);
    button.addEventListener("click", () => {
      group.querySelectorAll("button").forEach((other) => other.setAttribute("aria-pressed", other === button));
      choose(i);
    });
  });
  return group;
};
const drop_down = (parent, label, names, chosen, choose) => {
  const box = make("label", parent, {class: "choices"});
  make("span", box, {class: "choices-label"}, label);
  const list = make("select", box);
  names.forEach((name, i) => make("option", list, {value: i}, name));
  list.value = chosen;
  list.addEventListener("change", () => choose(+list.value));
  return list;
};

// ── numbers, printed as the report prints them ──
const none = "–";
const known = (value) => value !== null && Number.isFinite(value);
const fixed = (value, decimals) => {
  if (!known(value)) return none;
  const text = Math.abs(value).toFixed(decimals);
  return (value < 0 && +text !== 0 ? "−" : "") + text;
};
const percent = (fraction, decimals) => {
  if (!known(fraction)) return none;
  const unit = 10 ** decimals;
  let share = Math.round(100 * unit * fraction) / unit;
  if (fraction < 1) share = Math.min(share, 100 - 1 / unit);  // 100 only if it is all
  if (fraction > 0) share = Math.max(share, 1 / unit);
  return fixed(share, decimals) + " %";
};
const whole = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
const both = (low, high) => low === none && high === none ? none : `[${low}, ${high}]`;
// A number with its source, as the ones that were printed before.
const number = (how, from, text) => fill(document.createElement("data"), {"data-how": how, "data-from": from.join(" ")}, text);
const told = {
  whole: (value, from) => number("number", [from], whole(value)),
  weight: (value, from) => number("number", [from], fixed(value, 4)),
  score: (value, from) => number("number", [from], fixed(value, 2)),
  points: (value, from) => number("points", [from], fixed(100 * value, 1)),
  points_between: (low, high, at) => number("points", [at + ".low", at + ".high"], both(fixed(100 * low, 1), fixed(100 * high, 1))),
  percent: (value, from) => number("percent", [from], percent(value, 1)),
  percent_between: (low, high, at) => number("percent", [at + ".low", at + ".high"], both(percent(low, 1), percent(high, 1))),
  share: (correct, total, at) => number("share", [at + ".correct", at + ".total"], total > 0 ? percent(correct / total, total >= 1e5 ? 4 : 2) : none),
  of: (correct, total, at) => number("of", [at + ".correct", at + ".total"], total > 0 ? whole(correct) + " of " + whole(total) : none),
};
// "encoder.0.self.head.3" as "Encoder L0 H3".
const label_of = (name) => {
  if (!/^(en|de)coder\.\d+\.(self|cross)(\.head\.\d+)?$/.test(name)) return name;
  const part = name.split("."), stack = part[0] === "encoder" ? "Encoder" : "Decoder";
  return `${stack} L${part[1]}` + (part[0] === "decoder" ? " " + part[2] : "") + (part.length > 4 ? " H" + part[4] : "");
};

// ── where a number comes from, beside the pointer ──
{
  let tip = null;
  const hide = () => { if (tip) tip.remove(); tip = null; };
  document.addEventListener("pointerover", (event) => {
    hide();
    const at = event.target.closest && event.target.closest("data[data-from]");
    if (!at || at.dataset.how === "rank") return;
    const from = at.dataset.from.split(" ");
    tip = make("div", document.body, {id: "source"}, (at.dataset.how === "constant" ? "fixed: " : "results.json: ") + from.slice(0, 3).join(", ") +
      (from.length > 3 ? ", … (" + from.length + " values)" : ""));
    const box = at.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(box.left, innerWidth - tip.offsetWidth - 4)) + "px";
    tip.style.top = (box.top > tip.offsetHeight + 8 ? box.top - tip.offsetHeight - 5 : box.bottom + 5) + "px";
  });
  document.addEventListener("scroll", hide, {passive: true});
}
)js";

}  // namespace

std::string_view core_script() {
  return kCoreScript;
}

}  // namespace heddle::report
