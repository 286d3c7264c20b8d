// Line charts that the reader moves over: axes, lines with bands, a ring around the chosen point.
import { clamp, draw, fill } from "./elements.js";
import { known, percent, whole } from "./numbers.js";

/**
 * @typedef {object} Point
 * @property {number} x
 * @property {number | null} y
 * @property {number | null} low
 * @property {number | null} high
 *
 * @typedef {object} Line
 * @property {string} name
 * @property {string} ink the name of its colour in the style
 * @property {Point[]} points
 * @property {string} [dash]
 * @property {boolean} [faint] drawn thin, without band and points
 *
 * @typedef {object} Plot
 * @property {string} label
 * @property {number} high points on the screen
 * @property {{low: number, high: number, ticks: number[], label: string, log?: boolean,
 *             falls?: boolean}} x
 * @property {{low: number, high: number, label: string}} y
 * @property {[number, number]} [shade] the trained stretch of the x axis
 * @property {Line[]} lines
 *
 * @typedef {object} Frame where the lines stand on the screen
 * @property {SVGSVGElement} svg
 * @property {number} wide
 * @property {number} left
 * @property {number} top
 * @property {number} across
 * @property {number} down
 * @property {(value: number) => number} x
 * @property {(value: number) => number} y
 *
 * @typedef {{line: number, point: number}} Nearest
 *
 * @typedef {object} Chart
 * @property {SVGSVGElement} svg
 * @property {(point: Point | undefined) => void} mark puts the ring around a point
 * @property {(event: MouseEvent) => Nearest | null} nearest the point nearest to the pointer
 */

const name_gap = 14; // between the names at the ends of two lines

/**
 * How far along an axis a value lies, from 0 to 1.
 * @param {number} value
 * @param {{low: number, high: number, log?: boolean}} axis
 */
function share_of_axis(value, axis) {
  if (axis.log) return Math.log(value / axis.low) / Math.log(axis.high / axis.low);
  return (value - axis.low) / (axis.high - axis.low);
}

/**
 * @param {Element} parent
 * @param {Plot} plot
 * @returns {Frame}
 */
function make_frame(parent, plot) {
  const wide = clamp(parent.clientWidth || 700, 300, 860);
  const longest = Math.max(0, ...plot.lines.map((line) => line.name.length));
  const right = has_room_for_names(wide) && longest ? Math.min(200, 16 + 6.3 * longest) : 14;
  const svg = draw("svg", parent, {
    viewBox: `0 0 ${wide} ${plot.high}`,
    width: wide,
    height: plot.high,
    class: "chart",
    tabindex: 0,
    role: "img",
    "aria-label": plot.label,
  });
  const [left, top, below] = [56, 10, 44];
  const across = wide - left - right;
  const down = plot.high - top - below;
  const x = (/** @type {number} */ value) => {
    const share = share_of_axis(value, plot.x);
    return left + across * (plot.x.falls ? 1 - share : share);
  };
  const y = (/** @type {number} */ value) =>
    top + down * (1 - share_of_axis(clamp(value, plot.y.low, plot.y.high), plot.y));
  return { svg, wide, left, top, across, down, x, y };
}

/** @param {number} wide */
function has_room_for_names(wide) {
  return wide > 540;
}

/**
 * @param {Frame} frame
 * @param {Plot} plot
 */
function draw_shade({ svg, top, down, x }, plot) {
  if (!plot.shade) return;
  const edge = (/** @type {number} */ value) => x(clamp(value, plot.x.low, plot.x.high));
  const [from, to] = [edge(plot.shade[0]), edge(plot.shade[1])];
  draw("rect", svg, { x: from, y: top, width: to - from, height: down, class: "shade" });
  if (to - from <= 48) return;
  const middle = { x: (from + to) / 2, y: top + down - 7, "text-anchor": "middle", class: "tick" };
  draw("text", svg, middle, "trained");
}

/**
 * @param {Frame} frame
 * @param {Plot} plot
 */
function draw_y_axis({ svg, left, across, y }, plot) {
  const step = plot.y.high - plot.y.low > 0.65 ? 0.2 : 0.1;
  for (let i = Math.ceil(plot.y.low / step - 1e-9); i * step <= plot.y.high + 1e-9; ++i) {
    const at = y(i * step);
    draw("line", svg, { x1: left, x2: left + across, y1: at, y2: at, class: "grid" });
    const place = { x: left - 7, y: at + 4, "text-anchor": "end", class: "tick" };
    draw("text", svg, place, percent(i * step, 0));
  }
}

/**
 * @param {Frame} frame
 * @param {Plot} plot
 */
function draw_x_axis({ svg, left, top, across, down, x }, plot) {
  let end_of_last = -Infinity;
  const bottom = top + down;
  for (const tick of [...plot.x.ticks].sort((a, b) => x(a) - x(b))) {
    const half = 3.6 * String(tick).length;
    if (x(tick) - half < end_of_last + 6) continue; // it would touch the one before
    end_of_last = x(tick) + half;
    draw("line", svg, { x1: x(tick), x2: x(tick), y1: bottom, y2: bottom + 4, class: "axis" });
    const place = { x: x(tick), y: bottom + 17, "text-anchor": "middle", class: "tick" };
    draw("text", svg, place, whole(tick));
  }
  draw("line", svg, { x1: left, x2: left + across, y1: bottom, y2: bottom, class: "axis" });
}

/**
 * @param {Frame} frame
 * @param {Plot} plot
 */
function draw_axis_names({ svg, left, top, across, down }, plot) {
  const centred = { "text-anchor": "middle", class: "name" };
  draw("text", svg, { x: left + across / 2, y: plot.high - 6, ...centred }, plot.x.label);
  const middle = top + down / 2;
  const upright = { x: 13, y: middle, transform: `rotate(-90 13 ${middle})`, ...centred };
  draw("text", svg, upright, plot.y.label);
}

/**
 * @param {Frame} frame
 * @param {Line} line
 * @param {number} lines how many there are: the bands of many are paler
 */
function draw_band({ svg, x, y }, line, lines) {
  /** @type {{above: string, below: string}[]} */
  const edges = [];
  for (const { x: at, y: value, low, high } of line.points)
    if (known(value) && known(low) && known(high))
      edges.push({ above: `${x(at)} ${y(high)}`, below: `${x(at)} ${y(low)}` });
  if (edges.length < 2) return;
  const there = edges.map((edge) => edge.above).join("L");
  const back = edges
    .reverse()
    .map((edge) => edge.below)
    .join("L");
  const opacity = 0.15 * Math.min(1, 4 / lines);
  const style = `fill:var(--${line.ink});fill-opacity:${opacity}`;
  draw("path", svg, { d: `M${there}L${back}Z`, style, class: "band" });
}

/**
 * The points of a line that were measured.
 * @param {Line} line
 */
function measured(line) {
  return line.points.flatMap(({ x, y }) => (known(y) ? [{ x, y }] : []));
}

/**
 * @param {Frame} frame
 * @param {Line} line
 */
function draw_line({ svg, x, y }, line) {
  const points = measured(line);
  const colour = `var(--${line.ink})`;
  draw("path", svg, {
    d: "M" + points.map((point) => `${x(point.x)} ${y(point.y)}`).join("L"),
    fill: "none",
    style: `stroke:${colour}`,
    "stroke-dasharray": line.dash || "none",
    class: line.faint ? "line faint" : "line",
  });
  if (line.faint) return;
  for (const point of points)
    draw("circle", svg, { cx: x(point.x), cy: y(point.y), r: 2.6, style: `fill:${colour}` });
}

/**
 * Names at the ends of their lines; those that end together are moved apart.
 * @param {Frame} frame
 * @param {Plot} plot
 */
function draw_line_names({ svg, top, down, x, y }, plot) {
  /** @type {Map<number, {line: Line, at: number}[]>} */
  const groups = new Map();
  for (const line of plot.lines) {
    const points = measured(line);
    if (!points.length) continue;
    const end = points.reduce((a, b) => (x(b.x) >= x(a.x) ? b : a));
    const column = Math.round(x(end.x));
    groups.set(column, [...(groups.get(column) ?? []), { line, at: y(end.y) + 4 }]);
  }
  for (const [column, ends] of [...groups].sort(([a], [b]) => a - b)) {
    move_apart(ends, top + 4, top + down + 4);
    for (const { line, at } of ends) {
      const style = `fill:var(--${line.ink})`;
      draw("text", svg, { x: column + 7, y: at, class: "name", style }, line.name);
    }
  }
}

/**
 * Sorts the names by height and keeps them a line apart between `highest` and `lowest`.
 * @param {{at: number}[]} names
 * @param {number} highest
 * @param {number} lowest
 */
function move_apart(names, highest, lowest) {
  names.sort((a, b) => a.at - b.at);
  let least = highest;
  for (const name of names) {
    name.at = Math.max(name.at, least);
    least = name.at + name_gap;
  }
  let most = lowest;
  for (const name of [...names].reverse()) {
    name.at = Math.min(name.at, most);
    most = name.at - name_gap;
  }
}

/**
 * @param {Frame} frame
 * @param {Plot} plot
 * @param {MouseEvent} event
 * @returns {Nearest | null}
 */
function nearest_point({ svg, wide, x, y }, plot, event) {
  const box = svg.getBoundingClientRect();
  const across = ((event.clientX - box.left) * wide) / box.width;
  const down = ((event.clientY - box.top) * plot.high) / box.height;
  /** @type {Nearest | null} */
  let best = null;
  let least = Infinity;
  plot.lines.forEach((line, l) => {
    if (line.faint) return;
    line.points.forEach((point, i) => {
      if (!known(point.y)) return;
      const gap = Math.hypot(x(point.x) - across, y(point.y) - down);
      if (gap < least) [best, least] = [{ line: l, point: i }, gap];
    });
  });
  return best;
}

/**
 * Draws the plot as the last child of `parent`.
 * @param {Element} parent
 * @param {Plot} plot
 * @returns {Chart}
 */
export function chart(parent, plot) {
  const frame = make_frame(parent, plot);
  const { svg, x, y } = frame;
  draw_shade(frame, plot);
  draw_y_axis(frame, plot);
  draw_x_axis(frame, plot);
  draw_axis_names(frame, plot);
  for (const line of plot.lines) {
    if (!line.faint) draw_band(frame, line, plot.lines.length);
    draw_line(frame, line);
  }
  if (has_room_for_names(frame.wide)) draw_line_names(frame, plot);
  const ring = draw("circle", svg, { r: 6, class: "ring", visibility: "hidden" });
  return {
    svg,
    mark: (point) => {
      if (!point || !known(point.y)) return void fill(ring, { visibility: "hidden" });
      fill(ring, { cx: x(point.x), cy: y(point.y), visibility: "visible" });
    },
    nearest: (event) => nearest_point(frame, plot, event),
  };
}
