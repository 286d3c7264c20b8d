// The extrapolation curves with their switches: pooling, kind of negatives, encodings.
import { chart } from "./chart.js";
import { choices, clamp, drop_down, follow_width, make, status_line } from "./elements.js";
import { known, print } from "./numbers.js";

/**
 * @typedef {import("./data.js").LengthSet} LengthSet
 * @typedef {import("./data.js").LengthsData} LengthsData
 * @typedef {import("./data.js").Population} Population
 *
 * @typedef {import("./chart.js").Point & {worst: number | null, seeds: number, at: string}}
 *   LengthPoint
 * @typedef {{name: string, ink: string, dash: string, points: LengthPoint[], reads: boolean}}
 *   LengthLine
 */

const dashes = ["none", "7 3", "2 2", "9 3 2 3"];
/** @type {Record<string, [number, number]>} to another line, along the line */
const moves_by_arrow = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
};
const colours = 6; // of lines, "s0" to "s5"

/** @param {LengthSet} set */
function view_name(set) {
  const depth = set.delta > 0 ? ` by ${set.delta}` : "";
  return `${set.kind}${depth}, ${set.values} values`;
}

/**
 * @template T
 * @param {T[]} list
 */
function distinct(list) {
  return [...new Set(list)];
}

/**
 * The points of a line, by length.
 * @param {LengthSet} set
 * @returns {LengthPoint[]}
 */
function points_of_set(set) {
  const points = set.length.map((length, i) => ({
    x: length,
    y: set.median[i] ?? null,
    low: set.low[i] ?? null,
    high: set.high[i] ?? null,
    worst: set.worst[i] ?? null,
    seeds: set.seeds[i] ?? 0,
    at: `${set.from}.${set.at[i]}`,
  }));
  return points.sort((a, b) => a.x - b.x);
}

/**
 * The view that the page opens with: the main kind of the recipe's own.
 * @param {LengthsData} data
 * @param {string[]} views
 */
function first_view(data, views) {
  const { populations, opens_with } = data;
  const lead = populations.find((one) => one.group === "recipe") ?? populations[0];
  const set = lead?.sets.find((one) => one.kind === opens_with.kind) ?? lead?.sets[0];
  return set ? Math.max(0, views.indexOf(view_name(set))) : 0;
}

class LengthCurves {
  /**
   * @param {Element} root
   * @param {LengthsData} data
   */
  constructor(root, data) {
    const { populations } = data;
    this.data = data;
    this.poolings = distinct(populations.map((one) => one.pooling));
    this.encodings = distinct(populations.map((one) => one.position));
    this.views = distinct(populations.flatMap((one) => one.sets.map(view_name)));
    this.pooling = Math.max(0, this.poolings.indexOf("mean"));
    this.view = first_view(data, this.views);
    /** @type {Set<string>} encodings that are not shown */
    this.hidden = new Set();
    this.with_reports = false;
    this.line = 0;
    this.point = -1;
    this.pinned = false;
    /** @type {LengthLine[]} */
    this.lines = [];
    /** @type {import("./chart.js").Chart | null} */
    this.plot = null;

    const bar = make("div", root, { class: "bar" });
    const poolings = [...this.poolings, "all"];
    choices(bar, "Pooling", poolings, this.pooling, (i) => this.choose({ pooling: i }));
    drop_down(bar, "Unsorted ones", this.views, this.view, (i) => this.choose({ view: i }));
    this.add_switches(root);
    this.stage = make("div", root, { class: "stage" });
    this.says = status_line(root);
    this.show();
    follow_width(this.stage, () => this.show());
  }

  /** @param {{pooling?: number, view?: number, with_reports?: boolean}} chosen */
  choose(chosen) {
    Object.assign(this, chosen, { point: -1, pinned: false });
    this.show();
  }

  // ── switches ──

  /** @param {Element} root */
  add_switches(root) {
    const boxes = make("div", root, { class: "bar", role: "group", "aria-label": "Encodings" });
    make("span", boxes, { class: "choices-label" }, "Encodings");
    for (const position of this.encodings) {
      const box = make("label", boxes, { class: "tick-box" });
      const input = make("input", box, { type: "checkbox" });
      input.checked = true;
      const style = `background:var(--${this.ink_of(position)})`;
      make("span", box, { class: "swatch", style });
      make("span", box, {}, position);
      input.addEventListener("change", () => this.switch_encoding(position, input.checked));
    }
    if (this.data.populations.some((one) => one.group === "reports"))
      this.add_reports_switch(boxes);
  }

  /** @param {Element} boxes */
  add_reports_switch(boxes) {
    const box = make("label", boxes, { class: "tick-box" });
    const input = make("input", box, { type: "checkbox" });
    make("span", box, {}, "with the reports’ own models");
    input.addEventListener("change", () => this.choose({ with_reports: input.checked }));
  }

  /**
   * @param {string} position
   * @param {boolean} on
   */
  switch_encoding(position, on) {
    if (on) this.hidden.delete(position);
    else this.hidden.add(position);
    this.choose({});
  }

  /** @param {string} position */
  ink_of(position) {
    return "s" + (this.encodings.indexOf(position) % colours);
  }

  // ── curves ──

  /** @param {Population} population */
  is_shown(population) {
    const all = this.pooling === this.poolings.length;
    return (
      (all || population.pooling === this.poolings[this.pooling]) &&
      !this.hidden.has(population.position) &&
      (this.with_reports || population.group !== "reports")
    );
  }

  /** @returns {LengthLine[]} lines of one encoding share its colour and differ in their dashes */
  chosen_lines() {
    /** @type {Map<string, number>} */
    const seen = new Map();
    return this.data.populations
      .filter((population) => this.is_shown(population))
      .flatMap((population) => {
        const set = population.sets.find((one) => view_name(one) === this.views[this.view]);
        if (!set) return [];
        const nth = seen.get(population.position) ?? 0;
        seen.set(population.position, nth + 1);
        return {
          name: population.recipe,
          ink: this.ink_of(population.position),
          dash: dashes[nth % dashes.length] ?? "none",
          points: points_of_set(set),
          reads: population.reads_order,
        };
      });
  }

  show() {
    this.lines = this.chosen_lines();
    this.stage.replaceChildren();
    this.plot = this.draw_lines();
    this.listen(this.plot);
    this.describe();
  }

  draw_lines() {
    const { train_shortest, train_longest } = this.data;
    const points = this.lines.flatMap((line) => line.points);
    const lengths = points.map((point) => point.x);
    const least = Math.min(0.4, ...points.map((point) => point.low).filter(known));
    const low = Math.min(train_shortest, ...lengths);
    const high = Math.max(train_longest, ...lengths);
    const powers = Array.from({ length: 31 }, (_, i) => 2 ** i);
    const ticks = powers.filter((value) => value >= low && value <= high);
    return chart(this.stage, {
      label: `Accuracy against length, ${this.views[this.view]}`,
      high: 340,
      x: { log: true, low, high, ticks, label: "length (log axis)" },
      y: { low: Math.max(0, Math.floor(10 * least + 1e-9) / 10), high: 1, label: "accuracy" },
      shade: [train_shortest, train_longest],
      lines: this.lines,
    });
  }

  // ── the chosen point ──

  /** @param {import("./chart.js").Chart} plot */
  listen(plot) {
    const take_nearest = (/** @type {MouseEvent} */ event) => {
      const near = plot.nearest(event);
      if (!near) return;
      this.line = near.line;
      this.point = near.point;
      this.describe();
    };
    plot.svg.addEventListener("pointermove", (event) => {
      if (!this.pinned) take_nearest(event);
    });
    plot.svg.addEventListener("click", (event) => {
      this.pinned = !this.pinned;
      take_nearest(event);
    });
    plot.svg.addEventListener("keydown", (event) => {
      if (!this.lines.length || !this.move_by_key(event.key)) return;
      this.describe();
      event.preventDefault();
    });
  }

  /**
   * Whether the key means something here.
   * @param {string} key
   */
  move_by_key(key) {
    const move = moves_by_arrow[key];
    if (move) {
      const [over, along] = move;
      this.line = (this.line + over + this.lines.length) % this.lines.length;
      const points = this.lines[this.line]?.points ?? [];
      this.point = clamp(this.point + along, 0, points.length - 1);
    } else if (key === "Enter" || key === " ") {
      this.pinned = !this.pinned;
    } else if (key === "Escape") {
      this.pinned = false;
    } else {
      return false;
    }
    return true;
  }

  /** Says what was measured at the chosen point. */
  describe() {
    const line = this.lines[this.line];
    const point = line?.points[this.point];
    this.plot?.mark(point);
    this.says.replaceChildren();
    if (!line || !point) {
      this.says.append(
        this.lines.length
          ? "Rest on a point, or move with the arrow keys, to read it; click or Enter pins it."
          : "Nothing was measured for this choice.",
      );
      return;
    }
    const { at } = point;
    this.says.append(
      make("b", null, {}, line.name),
      line.reads ? " (its pooling reads order)" : "",
      " at length ",
      print.whole(point.x, at + ".length"),
      ": median ",
      print.percent(point.y, at + ".median"),
      " ",
      print.percent_between(point.low, point.high, at),
      ", worst seed ",
      print.percent(point.worst, at + ".worst"),
      ", ",
      print.whole(point.seeds, at + ".seeds"),
      point.seeds === 1 ? " seed" : " seeds",
      this.pinned ? ", pinned" : "",
    );
  }
}

/**
 * @param {Element} root
 * @param {LengthsData} data
 */
export function start_lengths(root, data) {
  if (data.populations.length) new LengthCurves(root, data);
}
