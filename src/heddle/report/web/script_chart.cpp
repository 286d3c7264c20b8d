// Line charts that the reader moves over: see script.hpp.
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

// A plot has the axes `x` (low, high, ticks, label; log, falls) and `y` (low, high, label), `lines`
// (name, ink, points of x, y, low, high; dash, faint), and maybe `shade` (from, to, label).
constexpr std::string_view kChartScript = R"js(
const chart = (parent, plot) => {
  const wide = Math.max(300, Math.min(parent.clientWidth || 700, 860)), high = plot.high || 300, roomy = wide > 540;
  const longest = Math.max(0, ...plot.lines.map((line) => line.name.length)), left = 56, top = 10, below = 44;
  const right = roomy && longest ? Math.min(200, 16 + 6.3 * longest) : 14;
  const svg = draw("svg", parent, {viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, class: "chart", tabindex: 0, role: "img", "aria-label": plot.label});
  const across = wide - left - right, down = high - top - below;
  const share = (value, axis) => axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
  const x = (value) => left + across * (plot.x.falls ? 1 - share(value, plot.x) : share(value, plot.x));
  const y = (value) => top + down * (1 - share(Math.min(plot.y.high, Math.max(plot.y.low, value)), plot.y));
  if (plot.shade) {
    const [from, to] = plot.shade.map((value) => x(Math.min(plot.x.high, Math.max(plot.x.low, value))));
    draw("rect", svg, {x: from, y: top, width: to - from, height: down, class: "shade"});
    if (to - from > 48) draw("text", svg, {x: (from + to) / 2, y: top + down - 7, "text-anchor": "middle", class: "tick"}, "trained");
  }
  const step = plot.y.high - plot.y.low > .65 ? .2 : .1;
  for (let i = Math.ceil(plot.y.low / step - 1e-9); i * step <= plot.y.high + 1e-9; ++i) {
    draw("line", svg, {x1: left, x2: left + across, y1: y(i * step), y2: y(i * step), class: "grid"});
    draw("text", svg, {x: left - 7, y: y(i * step) + 4, "text-anchor": "end", class: "tick"}, Math.round(100 * i * step) + " %");
  }
  let last = -Infinity;
  for (const tick of [...plot.x.ticks].sort((a, b) => x(a) - x(b))) {
    const half = 3.6 * String(tick).length;
    if (x(tick) - half < last + 6) continue;  // it would touch the one before
    last = x(tick) + half;
    draw("line", svg, {x1: x(tick), x2: x(tick), y1: top + down, y2: top + down + 4, class: "axis"});
    draw("text", svg, {x: x(tick), y: top + down + 17, "text-anchor": "middle", class: "tick"}, whole(tick));
  }
  draw("line", svg, {x1: left, x2: left + across, y1: top + down, y2: top + down, class: "axis"});
  draw("text", svg, {x: left + across / 2, y: high - 6, "text-anchor": "middle", class: "name"}, plot.x.label);
  draw("text", svg, {x: 13, y: top + down / 2, "text-anchor": "middle", transform: `rotate(-90 13 ${top + down / 2})`, class: "name"}, plot.y.label);
  for (const line of plot.lines) {
    const colour = `var(--${line.ink})`, points = line.points.filter((point) => known(point.y));
    const banded = points.filter((point) => known(point.low) && known(point.high));
    if (banded.length > 1 && !line.faint)
      draw("path", svg, {d: "M" + banded.map((p) => `${x(p.x)} ${y(p.high)}`).join("L") + "L" + banded.reverse().map((p) => `${x(p.x)} ${y(p.low)}`).join("L") + "Z",
        style: `fill:${colour};fill-opacity:${.15 * Math.min(1, 4 / plot.lines.length)}`, class: "band"});
    draw("path", svg, {d: "M" + points.map((p) => `${x(p.x)} ${y(p.y)}`).join("L"), fill: "none", style: `stroke:${colour}`,
      "stroke-dasharray": line.dash || "none", class: line.faint ? "line faint" : "line"});
    if (!line.faint) for (const p of points) draw("circle", svg, {cx: x(p.x), cy: y(p.y), r: 2.6, style: `fill:${colour}`});
  }
  if (roomy) {  // names at the ends of their lines, those that end together moved apart
    const groups = {};
    for (const line of plot.lines) {
      const points = line.points.filter((p) => known(p.y));
      if (!points.length) continue;
      const end = points.reduce((a, b) => x(b.x) >= x(a.x) ? b : a);
      (groups[Math.round(x(end.x))] ??= []).push({line, at: y(end.y) + 4});
    }
    for (const [place, ends] of Object.entries(groups)) {
      ends.sort((a, b) => a.at - b.at);
      ends.forEach((end, i) => { end.at = Math.max(end.at, i ? ends[i - 1].at + 14 : top + 4); });
      for (let i = ends.length, most = top + down + 4; i-- > 0; most -= 14) { ends[i].at = Math.min(ends[i].at, most); most = ends[i].at; }
      for (const {line, at} of ends) draw("text", svg, {x: +place + 7, y: at, class: "name", style: `fill:var(--${line.ink})`}, line.name);
    }
  }
  const ring = draw("circle", svg, {r: 6, class: "ring", visibility: "hidden"});
  return {
    svg,
    mark: (point) => fill(ring, point && known(point.y) ? {cx: x(point.x), cy: y(point.y), visibility: "visible"} : {visibility: "hidden"}),
    // The point nearest to a place on the screen.
    nearest: (event) => {
      const box = svg.getBoundingClientRect(), px = (event.clientX - box.left) * wide / box.width, py = (event.clientY - box.top) * high / box.height;
      let best = null, least = Infinity;
      plot.lines.forEach((line, l) => line.points.forEach((p, i) => {
        if (line.faint || !known(p.y)) return;
        const gap = Math.hypot(x(p.x) - px, y(p.y) - py);
        if (gap < least) [best, least] = [{line: l, point: i}, gap];
      }));
      return best;
    },
  };
};
// Draws again when the room for it changes.
const follow_width = (node, show) => {
  let before = node.clientWidth;
  new ResizeObserver(() => { if (Math.abs(node.clientWidth - before) > 4) { before = node.clientWidth; show(); } }).observe(node);
};
)js";

}  // namespace

std::string_view chart_script() {
  return kChartScript;
}

}  // namespace heddle::report
