// The pruning curve with its slider: heads go one by one.
import { chart } from "./chart.js";
import { choices, clamp, drop_down, fill, follow_width, make, status_line } from "./elements.js";
import { label_of, module_of, short_head_label } from "./labels.js";
import { print } from "./numbers.js";

/**
 * @typedef {import("./data.js").PruneCurve} PruneCurve
 * @typedef {import("./data.js").PrunedMember} PrunedMember
 * @typedef {import("./data.js").PruningData} PruningData
 */

/** @type {Record<string, number>} */
const steps_by_arrow = { ArrowRight: 1, ArrowLeft: -1 };

/** @param {PrunedMember} member */
function member_name(member) {
  return `${member.recipe}, seed ${member.seed}` + (member.defect ? " (defect)" : "");
}

/**
 * @param {PruneCurve} curve
 * @param {number} i
 */
function score_at(curve, i) {
  const { points } = curve;
  return { correct: points["scored.correct"][i] ?? 0, total: points["scored.total"][i] ?? 0 };
}

/**
 * @param {PruneCurve} curve
 * @returns {import("./chart.js").Point[]}
 */
function points_of(curve) {
  const { heads_left, low, high } = curve.points;
  return heads_left.map((left, i) => {
    const { correct, total } = score_at(curve, i);
    const y = total > 0 ? correct / total : null;
    return { x: left, y, low: low[i] ?? null, high: high[i] ?? null };
  });
}

/**
 * Modules in the order in which a model has them: the encoder first, cross-attention last.
 * @param {string} a
 * @param {string} b
 */
function by_module(a, b) {
  const rank = (/** @type {string} */ name) =>
    (name.startsWith("e") ? 0 : 2) + (name.endsWith("cross") ? 1 : 0);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

class PruningSlider {
  /**
   * @param {Element} root
   * @param {PrunedMember[]} members
   */
  constructor(root, members) {
    this.members = members;
    this.member = 0;
    this.order = 0;
    this.gone = 0;
    /** @type {import("./chart.js").Chart | null} */
    this.plot = null;

    const bar = make("div", root, { class: "bar" });
    drop_down(bar, "Member", members.map(member_name), this.member, (i) => this.choose_member(i));
    this.orders = make("div", bar);
    this.stage = make("div", root, { class: "stage" });
    const row = make("label", root, { class: "slide" });
    make("span", row, {}, "Heads gone");
    const range = { type: "range", min: 0, step: 1, value: 0 };
    this.slider = make("input", row, { ...range, "aria-label": "Heads gone" });
    this.slider.addEventListener("input", () => this.cut_to(Number(this.slider.value)));
    this.says = status_line(root);
    this.heads = make("div", root, { class: "heads", role: "img" });
    this.show();
    follow_width(this.stage, () => this.show());
  }

  curves() {
    return this.members[this.member]?.curves ?? [];
  }

  curve() {
    const curve = this.curves()[Math.min(this.order, this.curves().length - 1)];
    if (!curve) throw new Error(`member ${this.member} was not pruned`);
    return curve;
  }

  /** @param {number} index */
  choose_member(index) {
    this.member = index;
    this.show();
  }

  /** @param {number} index */
  choose_order(index) {
    this.order = index;
    this.show();
  }

  /** @param {number} gone */
  cut_to(gone) {
    this.gone = gone;
    this.slider.value = String(gone);
    this.describe();
  }

  show() {
    const most = this.curve().points.heads_left.length - 1;
    this.order = Math.min(this.order, this.curves().length - 1);
    this.gone = Math.min(this.gone, most);
    fill(this.slider, { max: most });
    this.slider.value = String(this.gone);
    this.orders.replaceChildren();
    const names = this.curves().map((curve) => curve.by);
    choices(this.orders, "Heads go by", names, this.order, (i) => this.choose_order(i));
    this.stage.replaceChildren();
    this.plot = this.draw_curves();
    this.listen(this.plot, most);
    this.describe();
  }

  draw_curves() {
    const lines = this.curves().map((curve, i) => ({
      name: curve.by,
      ink: "s" + i,
      faint: i !== this.order,
      points: points_of(curve),
    }));
    const lefts = this.curve().points.heads_left;
    return chart(this.stage, {
      label: "Answers right against heads left",
      high: 260,
      x: {
        low: Math.min(...lefts),
        high: Math.max(...lefts),
        falls: true,
        ticks: lefts.filter((left) => left % 4 === 0),
        label: "heads left",
      },
      y: { low: 0, high: 1, label: "answers right" },
      // The chosen one lies above the others.
      lines: [...lines.filter((line) => line.faint), ...lines.filter((line) => !line.faint)],
    });
  }

  /**
   * @param {import("./chart.js").Chart} plot
   * @param {number} most
   */
  listen(plot, most) {
    const cut_to_nearest = (/** @type {PointerEvent} */ event) => {
      const near = plot.nearest(event);
      if (near) this.cut_to(near.point);
    };
    plot.svg.addEventListener("pointermove", (event) => {
      if (event.buttons) cut_to_nearest(event);
    });
    plot.svg.addEventListener("pointerdown", cut_to_nearest);
    plot.svg.addEventListener("keydown", (event) => {
      const step = steps_by_arrow[event.key];
      if (!step) return;
      this.cut_to(clamp(this.gone + step, 0, most));
      event.preventDefault();
    });
  }

  /** Says what is left and how much is right. */
  describe() {
    const curve = this.curve();
    const { points } = curve;
    const at = `${points.from}.${this.gone}`;
    const left = points.heads_left[this.gone] ?? 0;
    const { correct, total } = score_at(curve, this.gone);
    const last = points.cut[this.gone];
    this.says.replaceChildren(
      print.whole(left, at + ".heads_left"),
      left === 1 ? " head left: " : " heads left: ",
      print.of(correct, total, at + ".scored"),
      " right, ",
      print.share(correct, total, at + ".scored"),
      " ",
      print.percent_between(points.low[this.gone] ?? null, points.high[this.gone] ?? null, at),
      last ? `. The last to go: ${label_of(last)}.` : ". The intact member.",
    );
    this.slider.setAttribute("aria-valuetext", this.says.textContent ?? "");
    this.plot?.mark(points_of(curve)[this.gone]);
    this.show_heads();
  }

  /** A row for each module, a square for each head; what is gone is hatched. */
  show_heads() {
    const cuts = this.curves().flatMap((curve) => curve.points.cut);
    const names = [...new Set(cuts)].filter((name) => name).sort();
    const gone = this.curve().points.cut.slice(1, this.gone + 1);
    const words = gone.length ? "Gone: " + gone.map(label_of).join(", ") : "No head is gone";
    this.heads.replaceChildren();
    this.heads.setAttribute("aria-label", words);
    for (const module of [...new Set(names.map(module_of))].sort(by_module)) {
      const row = make("div", this.heads, { class: "heads-row" });
      make("span", row, { class: "note" }, label_of(module));
      for (const name of names.filter((one) => module_of(one) === module)) {
        const state = (gone.includes(name) ? " gone" : "") + (gone.at(-1) === name ? " last" : "");
        const named = { title: label_of(name), "data-head": name };
        make("span", row, { class: "head" + state, ...named }, short_head_label(name));
      }
    }
  }
}

/**
 * @param {Element} root
 * @param {PruningData} data
 */
export function start_pruning(root, data) {
  if (data.members.length) new PruningSlider(root, data.members);
}
