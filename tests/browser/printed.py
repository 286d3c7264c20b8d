"""Printed numbers worked out again from results.json: a second opinion on what the page's script prints."""
import re

NUMBER = re.compile(r"−?\d[\d,]*(?:\.\d+)?")


def at_place(results, path):
    """What "members.0.test.loss" names."""
    for part in path.split("."):
        results = results[int(part)] if isinstance(results, list) else results[part]
    return results


def wanted(how, values):
    """The numbers that a derivation must give, in the order in which they are printed."""
    if how == "number":
        return values
    if how in ("percent", "points"):
        return [100 * value for value in values]
    if how == "of":
        return values
    if how == "share":
        return [100 * values[0] / values[1]]
    raise ValueError(f"nobody knows how {how} is derived")


def fault_of(how, places, text, results):
    """What is wrong with a printed number; empty if it is right."""
    truth = wanted(how, [at_place(results, place) for place in places])
    printed = [word.replace(",", "").replace("−", "-") for word in NUMBER.findall(text)]
    if len(printed) != len(truth):
        return f"'{text}' should have {len(truth)} numbers"
    for word, value in zip(printed, truth):
        unit = 10.0 ** -(len(word.split(".")[1]) if "." in word else 0)
        # A percentage is held back from the 100 or the 0 that it is not.
        held_back = how in ("percent", "share") and 0 < value < 100 and (value > 100 - unit or value < unit)
        if abs(float(word) - value) > (unit if held_back else 0.5 * unit) * (1 + 1e-6):
            return f"'{text}' should be {truth} ({how} of {' '.join(places)})"
        if how in ("percent", "share") and (float(word) == 100) != (value == 100):
            return f"'{text}' says all or not all, but it is {value}"
    return ""
