// Maps of attention one at a time, chosen from a list.
import { choices, clamp, drop_down, follow_width, make, status_line } from "./elements.js";
import {
  describe_cell,
  map_hint,
  masked_weight,
  most_coarse_keys,
  picture_of,
  unpack,
  weight_map,
  weight_unit,
} from "./weight_map.js";

/**
 * @typedef {import("./data.js").MapsData} MapsData
 * @typedef {import("./data.js").PackedMap} PackedMap
 */

/**
 * @param {number} length
 * @param {string[]} names may be fewer
 */
function names_or_numbers(length, names) {
  return Array.from({ length }, (_, i) => names[i] ?? String(i));
}

/** @param {Uint16Array} weights */
function largest(weights) {
  const larger = (/** @type {number} */ a, /** @type {number} */ b) =>
    b === masked_weight ? a : Math.max(a, b);
  return weights.reduce(larger, 1) / weight_unit;
}

class MapViewer {
  /**
   * @param {Element} root
   * @param {MapsData} data
   */
  constructor(root, data) {
    this.data = data;
    /** @type {Map<PackedMap, import("./weight_map.js").WeightMap>} */
    this.unpacked = new Map();
    this.index = 0;
    this.largest_is_darkest = true;
    this.cell = { query: -1, key: -1, pinned: false };
    this.mark = () => {};

    const bar = make("div", root, { class: "bar" });
    const names = data.maps.map((map) => map.label);
    drop_down(bar, "Head", names, this.index, (i) => this.choose_map(i));
    const darkest = ["a weight of one", "the largest here"];
    choices(bar, "Darkest", darkest, 1, (i) => this.choose_darkest(i === 1));
    this.stage = make("div", root, { class: "stage" });
    this.says = status_line(root);
    this.show();
    follow_width(this.stage, () => this.show());
  }

  packed() {
    const packed = this.data.maps[this.index];
    if (!packed) throw new Error(`there is no map ${this.index}`);
    return packed;
  }

  map() {
    const packed = this.packed();
    const map = this.unpacked.get(packed) ?? {
      label: packed.label,
      queries: packed.rows,
      keys: packed.columns,
      weights: unpack(packed.values),
      start: 0,
      rows: names_or_numbers(packed.rows, packed.row_names),
      columns: names_or_numbers(packed.columns, packed.column_names),
    };
    this.unpacked.set(packed, map);
    return map;
  }

  /** @param {number} index */
  choose_map(index) {
    this.index = index;
    this.cell = { query: -1, key: -1, pinned: false };
    this.show();
  }

  /** @param {boolean} largest_is_darkest */
  choose_darkest(largest_is_darkest) {
    this.largest_is_darkest = largest_is_darkest;
    this.show();
  }

  /**
   * @param {number} query
   * @param {number} key
   * @param {boolean} click
   */
  point(query, key, click) {
    if (this.cell.pinned && !click) return;
    const same = this.cell.query === query && this.cell.key === key;
    this.cell = { query, key, pinned: click ? !(this.cell.pinned && same) : false };
    this.show_cell();
  }

  let_go() {
    this.cell.pinned = false;
    this.show_cell();
  }

  show_cell() {
    this.mark();
    this.describe();
  }

  show() {
    const map = this.map();
    const darkest = this.largest_is_darkest ? largest(map.weights) : 1;
    const picture = picture_of(map, this.data.colours, darkest);
    const most = map.keys > most_coarse_keys ? 560 : 420;
    this.stage.replaceChildren();
    make("p", this.stage, { class: "note" }, this.packed().note);
    const room = clamp(this.stage.clientWidth - 60, 200, most);
    this.mark = weight_map(this.stage, map, picture, room, {
      chosen: () => (this.cell.query < 0 ? null : this.cell),
      point: (query, key, click) => this.point(query, key, click),
      let_go: () => this.let_go(),
    });
    this.describe();
  }

  /** Says which cell is chosen, or what can be. */
  describe() {
    this.says.replaceChildren();
    if (this.cell.query >= 0) {
      describe_cell(this.says, this.map(), this.cell, this.packed().from + ".values");
    } else {
      this.says.append(map_hint);
    }
  }
}

/**
 * @param {Element} root
 * @param {MapsData} data
 */
export function start_maps(root, data) {
  if (data.maps.length) new MapViewer(root, data);
}
