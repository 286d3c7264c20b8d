// What is known of a head: what the answers lose without it, and its roles.
import { make } from "./elements.js";
import { print } from "./numbers.js";

/**
 * @typedef {import("./data.js").EffectColumns} EffectColumns
 * @typedef {import("./data.js").RoleColumns} RoleColumns
 *
 * @typedef {{at: string, mode: string, drop: number | null, low: number | null,
 *            high: number | null, band: string}} HeadEffect
 * @typedef {{at: string, role: string, score: number | null}} HeadRole
 */

/** @type {Record<string, string>} */
const replacement_words = { mean: "its mean", zero: "zero", resample: "another problem’s" };

/** Effects and roles of all heads of a member, asked for one head. */
export class HeadFacts {
  /**
   * @param {EffectColumns} effects
   * @param {RoleColumns} roles
   */
  constructor(effects, roles) {
    this.effects = effects;
    this.roles = roles;
  }

  /**
   * @param {string} name
   * @returns {HeadEffect[]}
   */
  effects_of(name) {
    const { from, head, mode, drop, low, high, band } = this.effects;
    return head.flatMap((of, i) => {
      if (of !== name) return [];
      const interval = { low: low[i] ?? null, high: high[i] ?? null };
      const words = { mode: mode[i] ?? "", band: band[i] ?? "" };
      return [{ at: `${from}.${i}`, drop: drop[i] ?? null, ...interval, ...words }];
    });
  }

  /**
   * @param {string} name
   * @returns {HeadRole[]}
   */
  roles_of(name) {
    const { from, head, role, score } = this.roles;
    return head.flatMap((of, i) =>
      of === name ? [{ at: `${from}.${i}`, role: role[i] ?? "", score: score[i] ?? null }] : [],
    );
  }

  /**
   * "costs 45.3 · reads the carry": one line for a small picture of the head.
   * @param {Element} parent
   * @param {string} name
   */
  show_note(parent, name) {
    const mean = this.effects_of(name).find((effect) => effect.mode === "mean");
    const roles = this.roles_of(name).map((role) => role.role);
    if (mean) parent.append("costs ", print.points(mean.drop, mean.at + ".drop"));
    if (mean && roles.length) parent.append(" · ");
    parent.append(roles.join(", ") || (mean ? "" : "\u00a0"));
  }

  /**
   * Roles with their scores, and a table of effects.
   * @param {Element} parent
   * @param {string} name
   */
  show_all(parent, name) {
    this.show_roles(make("p", parent), this.roles_of(name));
    const effects = this.effects_of(name);
    if (effects.length) this.show_effects(make("table", parent), effects);
  }

  /**
   * @param {Element} parent
   * @param {HeadRole[]} roles
   */
  show_roles(parent, roles) {
    parent.append(roles.length ? "Role: " : "No role by the written rules.");
    roles.forEach((role, i) => {
      if (i) parent.append(", ");
      make("b", parent, {}, role.role);
      const by_entropy = role.role === "sharp" || role.role === "broad";
      parent.append(
        by_entropy ? " (entropy " : " (excess ",
        print.score(role.score, role.at + ".score"),
        ")",
      );
    });
  }

  /**
   * @param {HTMLTableElement} table
   * @param {HeadEffect[]} effects
   */
  show_effects(table, effects) {
    make("caption", table, {}, "What the answers lose without this head (percentage points)");
    const headings = make("tr", make("thead", table));
    for (const word of ["its output becomes", "drop", "interval", "band"])
      make("th", headings, { scope: "col" }, word);
    const body = make("tbody", table);
    for (const { at, mode, drop, low, high, band } of effects) {
      const row = make("tr", body);
      make("td", row, {}, replacement_words[mode] ?? mode);
      make("td", row, { class: "n" }).append(print.points(drop, at + ".drop"));
      make("td", row, { class: "n" }).append(print.points_between(low, high, at));
      make("td", row, { class: "tag " + band }, band);
    }
  }
}
