// The attention browser: from the model to a module to a head.
import { clamp, drop_down, follow_width, make, status_line } from "./elements.js";
import { HeadFacts } from "./head_facts.js";
import { is_of_source, label_of, short_head_label } from "./labels.js";
import {
  describe_cell,
  map_hint,
  most_coarse_keys,
  picture_of,
  unpack,
  weight_map,
} from "./weight_map.js";

/**
 * @typedef {import("./data.js").AttentionData} AttentionData
 * @typedef {import("./data.js").Grid} Grid
 * @typedef {import("./data.js").Picture} Picture
 * @typedef {"model" | "module" | "head"} Level
 */

/** @param {Picture} picture */
function name_of_input(picture) {
  const name = (picture.problems > 1 ? "average: " : "") + picture.name;
  return picture.output ? `${name} → ${picture.output}` : name;
}

/**
 * A module that is one head alone carries the head's name.
 * @param {Grid} grid
 * @param {number} head
 */
function head_name(grid, head) {
  return /\.head\.\d+$/.test(grid.module) ? grid.module : `${grid.module}.head.${head}`;
}

/** What the reader has chosen, and how it is drawn. */
class AttentionBrowser {
  /**
   * @param {Element} root
   * @param {AttentionData} data
   */
  constructor(root, data) {
    this.colours = data.colours;
    this.pictures = data.pictures;
    this.facts = new HeadFacts(data.effects, data.roles);
    /** @type {Level} */
    this.level = "model";
    this.picture = Math.max(
      0,
      data.pictures.findIndex((picture) => picture.problems === 1),
    );
    this.module = 0;
    this.head = 0;
    this.cell = { query: -1, key: -1, pinned: false };
    /** @type {(() => void)[]} one for each map: shows the chosen cell */
    this.marks = [];
    /** @type {WeakMap<Grid, Uint16Array>} */
    this.unpacked = new WeakMap();

    const bar = make("div", root, { class: "bar" });
    const inputs = data.pictures.map(name_of_input);
    drop_down(bar, "Input", inputs, this.picture, (i) => this.choose_input(i));
    const path = { class: "path", role: "group", "aria-label": "Model, module, head" };
    this.path = make("div", bar, path);
    this.draw_key(bar);
    this.stage = make("div", root, { class: "stage" });
    this.says = status_line(root);
    this.show();
    follow_width(this.stage, () => this.show());
  }

  /** @param {Element} bar */
  draw_key(bar) {
    const key = make("span", bar, { class: "key" }, "no attention");
    const shades = this.colours.filter((_, i) => i % 10 === 0);
    make("i", key, { style: `background:linear-gradient(90deg,${shades.join(",")})` });
    key.append("all of it");
  }

  // ── what is chosen ──

  grids() {
    return this.pictures[this.picture]?.modules ?? [];
  }

  grid() {
    const grid = this.grids()[this.module];
    if (!grid) throw new Error(`the picture has no module ${this.module}`);
    return grid;
  }

  /** @param {number} index */
  choose_input(index) {
    this.picture = index;
    this.module = Math.min(this.module, this.grids().length - 1);
    this.forget_cell();
    this.show();
  }

  /**
   * @param {Level} level
   * @param {number} module
   * @param {number} head
   */
  go(level, module, head) {
    Object.assign(this, { level, module, head });
    this.forget_cell();
    this.show();
    const first = this.stage.querySelector(level === "model" ? ".thumb" : "svg.map");
    if (first instanceof HTMLElement || first instanceof SVGElement)
      first.focus({ preventScroll: true });
  }

  forget_cell() {
    this.cell = { query: -1, key: -1, pinned: false };
  }

  /**
   * @param {number} head
   * @param {number} query
   * @param {number} key
   * @param {boolean} click
   */
  point(head, query, key, click) {
    if (this.cell.pinned && !click) return;
    const same = this.head === head && this.cell.query === query && this.cell.key === key;
    this.head = head;
    this.cell = { query, key, pinned: click ? !(this.cell.pinned && same) : false };
    this.show_cell();
  }

  let_go() {
    this.cell.pinned = false;
    this.show_cell();
  }

  show_cell() {
    for (const mark of this.marks) mark();
    this.describe();
  }

  // ── maps ──

  /**
   * Names of the tokens on one side of a module's maps.
   * @param {Grid} grid
   * @param {"queries" | "keys"} side
   */
  tokens(grid, side) {
    const picture = this.pictures[this.picture];
    const names = is_of_source(grid.module, side) ? picture?.source : picture?.target;
    return Array.from({ length: grid[side] }, (_, i) => names?.[i] ?? String(i));
  }

  /**
   * @param {Grid} grid
   * @param {number} head
   * @returns {import("./weight_map.js").WeightMap}
   */
  map_of(grid, head) {
    const weights = this.unpacked.get(grid) ?? unpack(grid.weights);
    this.unpacked.set(grid, weights);
    return {
      label: label_of(head_name(grid, head)),
      queries: grid.queries,
      keys: grid.keys,
      weights,
      start: head * grid.queries * grid.keys,
      rows: this.tokens(grid, "queries"),
      columns: this.tokens(grid, "keys"),
    };
  }

  /**
   * @param {Element} parent
   * @param {Grid} grid
   * @param {number} head
   * @param {number} room
   */
  add_map(parent, grid, head, room) {
    const map = this.map_of(grid, head);
    const mark = weight_map(parent, map, picture_of(map, this.colours), room, {
      chosen: () => (this.head === head && this.cell.query >= 0 ? this.cell : null),
      point: (query, key, click) => this.point(head, query, key, click),
      let_go: () => this.let_go(),
    });
    this.marks.push(mark);
  }

  // ── the three levels ──

  show() {
    this.marks = [];
    this.stage.replaceChildren();
    this.show_path();
    if (this.level === "model") this.show_model();
    if (this.level === "module") this.show_module();
    if (this.level === "head") this.show_head();
    this.describe();
  }

  show_path() {
    this.path.replaceChildren();
    /** @type {(text: string, level: Level) => void} */
    const step = (text, level) => {
      const current = { "aria-current": this.level === level ? "step" : "false" };
      const button = make("button", this.path, { type: "button", ...current }, text);
      if (level !== "head") button.addEventListener("click", () => this.go(level, this.module, 0));
    };
    step("All heads", "model");
    if (this.level !== "model") step(label_of(this.grid().module), "module");
    if (this.level === "head") step(short_head_label(head_name(this.grid(), this.head)), "head");
  }

  show_model() {
    const grids = this.grids();
    const most = Math.max(...grids.map((grid) => grid.heads));
    const table = make("div", this.stage, { class: "model", style: `--heads:${most}` });
    /** @type {(HTMLElement | null)[]} a row of `most` for each module */
    const thumbs = [];
    grids.forEach((grid, m) => {
      const button = make("button", table, { type: "button", class: "module" });
      button.textContent = label_of(grid.module);
      button.addEventListener("click", () => this.go("module", m, 0));
      for (let head = 0; head < most; ++head)
        thumbs.push(head < grid.heads ? this.add_thumb(table, grid, m, head) : null);
      for (let head = grid.heads; head < most; ++head) make("span", table);
    });
    table.addEventListener("keydown", (event) => move_focus(event, thumbs, most));
  }

  /**
   * A small picture of a head.
   * @param {Element} table
   * @param {Grid} grid
   * @param {number} module
   * @param {number} head
   */
  add_thumb(table, grid, module, head) {
    const map = this.map_of(grid, head);
    const thumb = make("button", table, { type: "button", class: "thumb" });
    const shape = { style: `--shape:${grid.keys / grid.queries}` };
    make("img", thumb, { alt: map.label, ...shape }).src = picture_of(map, this.colours);
    this.facts.show_note(make("span", thumb, { class: "note" }), head_name(grid, head));
    thumb.addEventListener("click", () => this.go("head", module, head));
    return thumb;
  }

  show_module() {
    const grid = this.grid();
    const maps = make("div", this.stage, { class: "maps" });
    const share = (this.stage.clientWidth - 60) / Math.min(grid.heads, 4);
    for (let head = 0; head < grid.heads; ++head) {
      const name = head_name(grid, head);
      const box = make("figure", maps);
      const title = make("button", make("h3", box), { type: "button" }, label_of(name));
      title.addEventListener("click", () => this.go("head", this.module, head));
      this.facts.show_note(make("p", box, { class: "note" }), name);
      this.add_map(box, grid, head, clamp(share - 50, 150, 300));
    }
  }

  show_head() {
    const grid = this.grid();
    const name = head_name(grid, this.head);
    const box = make("div", this.stage, { class: "one" });
    const figure = make("figure", box);
    make("h3", figure, {}, label_of(name));
    const most = grid.keys > most_coarse_keys ? 560 : 330;
    this.add_map(figure, grid, this.head, clamp(this.stage.clientWidth - 60, 200, most));
    this.facts.show_all(make("div", box, { class: "facts" }), name);
  }

  /** Says which cell is chosen, or what can be. */
  describe() {
    this.says.replaceChildren();
    if (this.cell.query >= 0) {
      const map = this.map_of(this.grid(), this.head);
      this.says.append(map.label + ": ");
      describe_cell(this.says, map, this.cell, this.grid().from + ".weights");
    } else if (this.level === "model") {
      this.says.append(
        "Choose a module or a head; arrow keys move between heads, Enter opens one.",
      );
    } else {
      this.says.append(map_hint);
    }
  }
}

/**
 * Arrow keys lead from one small picture to the next.
 * @param {KeyboardEvent} event
 * @param {(HTMLElement | null)[]} thumbs
 * @param {number} columns
 */
function move_focus(event, thumbs, columns) {
  /** @type {Record<string, number>} */
  const steps = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -1, ArrowRight: 1 };
  const step = steps[event.key];
  const at = thumbs.findIndex((thumb) => thumb && thumb === document.activeElement);
  if (!step || at < 0) return;
  thumbs[at + step]?.focus();
  event.preventDefault();
}

/**
 * @param {Element} root
 * @param {AttentionData} data
 */
export function start_attention(root, data) {
  if (data.pictures.length) new AttentionBrowser(root, data);
}
