"""Printed numbers worked out again from results.json: a second opinion on what the page's script prints."""
import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

NUMBER = re.compile(r"−?\d[\d,]*(?:\.\d+)?")


def at_path(results, path):
    """What "members.0.test.loss" names."""
    for part in path.split("."):
        results = results[int(part)] if isinstance(results, list) else results[part]
    return results


def rounded(value, decimals, percentage=False):
    """A number as it must be printed: half away from zero on the exact fraction, or on the number as it is written
    (Python writes the shortest one too); a percentage is held back from the 100 or the 0 that it is not."""
    exact = value if isinstance(value, Fraction) else Fraction(Decimal(repr(value)))
    unit = Fraction(1, 10 ** decimals)
    units = int(abs(exact) / unit + Fraction(1, 2)) * (-1 if exact < 0 else 1)
    if percentage and exact < 100 and units * unit == 100:
        units -= 1
    if percentage and exact > 0 and units == 0:
        units = 1
    return str((Decimal(units) / 10 ** decimals).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def wanted(how, values):
    """The numbers that a derivation must give, in the order in which they are printed."""
    if how in ("number", "of"):
        return values
    if how in ("percent", "points"):
        return [100 * Fraction(Decimal(repr(value))) for value in values]
    if how == "share":
        return [100 * Fraction(values[0], values[1])]
    raise ValueError(f"nobody knows how {how} is derived")


def fault_of(how, paths, text, results):
    """What is wrong with a printed number; empty if it is right."""
    truth = wanted(how, [at_path(results, path) for path in paths])
    printed = [word.replace(",", "").replace("−", "-") for word in NUMBER.findall(text)]
    if len(printed) != len(truth):
        return f"'{text}' should have {len(truth)} numbers"
    for word, value in zip(printed, truth):
        decimals = len(word.split(".")[1]) if "." in word else 0
        right = rounded(value, decimals, how in ("percent", "share"))
        if word != right:
            return f"'{text}' should be {right} ({how} of {' '.join(paths)})"
    return ""
