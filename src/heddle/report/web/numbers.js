// Numbers as the report prints them: the twin of base/decimal.cpp, to which a test holds it.
import { fill } from "./elements.js";

/** What stands where there is no data. */
const no_data = "–";
/** From this many problems on a share has four decimals. */
const many_problems = 100_000;

/**
 * Whether it is a number at all; missing numbers are null in the page's data.
 * @param {number | null | undefined} value
 * @returns {value is number}
 */
export function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/**
 * |value| × 10^power as a whole number, rounded half away from zero on the shortest decimal number
 * that is written for the value.
 * @param {number} value
 * @param {number} power
 */
function rounded(value, power) {
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const places = Number(exponent) + 1 + power; // digits before the point
  if (places >= digits.length) return BigInt(digits) * 10n ** BigInt(places - digits.length);
  const kept = places > 0 ? BigInt(digits.slice(0, places)) : 0n;
  const up = places >= 0 && digits.charAt(places) >= "5";
  return up ? kept + 1n : kept;
}

/**
 * A whole number of units, with a point before its last `decimals` digits.
 * @param {bigint} units
 * @param {number} decimals
 */
function with_point(units, decimals) {
  const digits = String(units).padStart(decimals + 1, "0");
  if (decimals === 0) return digits;
  return digits.slice(0, -decimals) + "." + digits.slice(-decimals);
}

/**
 * value × 10^power with that many decimals; never "−0.0".
 * @param {number | null} value
 * @param {number} decimals
 * @param {number} [power]
 */
export function fixed(value, decimals, power = 0) {
  if (!known(value)) return no_data;
  const units = rounded(value, power + decimals);
  return (value < 0 && units > 0n ? "−" : "") + with_point(units, decimals);
}

/**
 * Percentage points of a fraction: "12.3".
 * @param {number | null} fraction
 */
export function points(fraction) {
  return fixed(fraction, 1, 2);
}

/**
 * A whole number of units held back from the 100 % or the 0 % that it is not.
 * @param {bigint} units
 * @param {number} decimals
 * @param {{all: boolean, none: boolean}} is
 */
function hold_back(units, decimals, is) {
  const whole = 100n * 10n ** BigInt(decimals);
  if (units === whole && !is.all) return whole - 1n;
  if (units === 0n && !is.none) return 1n;
  return units;
}

/**
 * "99.9 %" of a fraction: 100 only if it is all, 0 only if it is nothing.
 * @param {number | null} fraction
 * @param {number} decimals
 */
export function percent(fraction, decimals) {
  if (!known(fraction)) return no_data;
  if (fraction < 0) return fixed(fraction, decimals, 2) + " %";
  const is = { all: fraction >= 1, none: fraction === 0 };
  const units = hold_back(rounded(fraction, decimals + 2), decimals, is);
  return with_point(units, decimals) + " %";
}

/**
 * The same of a count, rounded half away from zero on the exact value of part / whole.
 * @param {number} part
 * @param {number} whole
 * @param {number} [decimals]
 */
export function percent_of(part, whole, decimals = whole >= many_problems ? 4 : 2) {
  if (!(whole > 0)) return no_data;
  const [a, b] = [BigInt(part), BigInt(whole)];
  const units = (2n * a * 10n ** BigInt(decimals + 2) + b) / (2n * b);
  const is = { all: part >= whole, none: part === 0 };
  return with_point(hold_back(units, decimals, is), decimals) + " %";
}

/**
 * 1000000 as "1,000,000".
 * @param {number} value
 */
export function whole(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * "[a, b]".
 * @param {string} low
 * @param {string} high
 */
function interval(low, high) {
  return low === no_data && high === no_data ? no_data : `[${low}, ${high}]`;
}

/**
 * A printed number with its derivation and its paths in results.json, as the page's own have them.
 * @param {string} how
 * @param {string[]} from
 * @param {string} text
 */
function sourced(how, from, text) {
  return fill(
    document.createElement("data"),
    { "data-how": how, "data-from": from.join(" ") },
    text,
  );
}

/**
 * Numbers with their source. `from` is the path of the value, `at` that of the record whose fields
 * the values are.
 */
export const print = {
  /** @param {number} value @param {string} from */
  whole: (value, from) => sourced("number", [from], whole(value)),
  /** @param {number} value @param {string} from */
  weight: (value, from) => sourced("number", [from], fixed(value, 4)),
  /** @param {number | null} value @param {string} from */
  score: (value, from) => sourced("number", [from], fixed(value, 2)),
  /** @param {number | null} value @param {string} from */
  points: (value, from) => sourced("points", [from], points(value)),
  /** @param {number | null} low @param {number | null} high @param {string} at */
  points_between: (low, high, at) =>
    sourced("points", [at + ".low", at + ".high"], interval(points(low), points(high))),
  /** @param {number | null} value @param {string} from */
  percent: (value, from) => sourced("percent", [from], percent(value, 1)),
  /** @param {number | null} low @param {number | null} high @param {string} at */
  percent_between: (low, high, at) =>
    sourced("percent", [at + ".low", at + ".high"], interval(percent(low, 1), percent(high, 1))),
  /** @param {number} correct @param {number} total @param {string} at */
  share: (correct, total, at) =>
    sourced("share", [at + ".correct", at + ".total"], percent_of(correct, total)),
  /** @param {number} correct @param {number} total @param {string} at */
  of: (correct, total, at) =>
    sourced(
      "of",
      [at + ".correct", at + ".total"],
      total > 0 ? `${whole(correct)} of ${whole(total)}` : no_data,
    ),
};
