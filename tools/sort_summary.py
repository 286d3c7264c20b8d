#!/usr/bin/env python3
"""Prints the findings of a sortedness study as Markdown, every number read from its results.json; of
a study that is not finished, what its members have scored so far.

Usage: tools/sort_summary.py STUDY
"""
import json
import pathlib
import statistics
import sys

KINDS = ["swaps", "shuffle", "adjacent", "distant", "dip", "reverse", "rotate"]
LENGTHS = [8, 12, 16, 32, 64, 128, 256]


def accuracy(cell):
    return cell["correct"] / cell["total"]


def middle_and_worst(values, digits=3):
    if not values:
        return "–"
    middle = f"{statistics.median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f})"


class Study:
    def __init__(self, folder):
        path = pathlib.Path(folder)
        whole = path / "results.json"
        if whole.exists():
            self.results = json.loads(whole.read_text())
        else:
            scores = sorted(path.glob("members/*/scores.json"))
            self.results = {"members": [json.loads(s.read_text()) for s in scores],
                            "learned_bar": 0.99, "claims": [], "reproductions": []}
        self.members = {}  # by recipe
        self.cells = {}
        for member in self.results["members"]:
            self.members.setdefault(member["recipe"], []).append(member)
            for cell in member["cells"]:
                key = (member["recipe"], cell["length"], cell["kind"], cell["delta"], cell["values"])
                self.cells.setdefault(key, []).append(cell)

    def of(self, recipe, length, kind, values="uniform", delta=None):
        if delta is None:
            delta = 1 if kind == "dip" else 0
        return self.cells.get((recipe, length, kind, delta, values), [])

    def required(self):
        names = [f"{position}-{pooling}" for position in ["sinusoidal", "learned", "none"]
                 for pooling in ["mean", "multi"]]
        return [name for name in names if name in self.members]


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def rates(study, recipe):
    """True positive and true negative rate on the hard kinds, near and far."""
    print(f"**{recipe}**: the hard kinds, median over seeds (worst seed).\n")
    rows = []
    for length in [16, 256, 1024, 4096]:
        for kind in ["adjacent", "dip"]:
            for values in ["uniform", "windowed"]:
                cells = study.of(recipe, length, kind, values)
                if not cells:
                    continue
                rows.append([f"{length:,}", kind + (" 1" if kind == "dip" else ""), values,
                             f"{len(cells)} × {cells[0]['total']:,}",
                             middle_and_worst([c["tpr"] for c in cells], 4),
                             middle_and_worst([c["tnr"] for c in cells], 4),
                             f"{min(map(accuracy, cells)):.4f}"])
    table(["length", "kind", "values", "seeds × sequences", "tpr", "tnr", "accuracy, worst seed"],
          rows)


def required(study):
    print("**Required encodings × poolings**, accuracy by length, median over seeds (worst seed).\n")
    rows = []
    for recipe in study.required():
        for kind in KINDS:
            rows.append([recipe, kind + (" 1" if kind == "dip" else ""),
                         *(middle_and_worst([accuracy(c) for c in study.of(recipe, n, kind)])
                           for n in LENGTHS)])
    table(["recipe", "kind", *map(str, LENGTHS)], rows)


def everything(study):
    columns = [(16, "swaps", "uniform"), (256, "swaps", "uniform"), (16, "adjacent", "uniform"),
               (64, "adjacent", "uniform"), (256, "adjacent", "uniform"),
               (256, "adjacent", "windowed"), (4096, "adjacent", "windowed")]
    header = ["recipe", "seeds", "learned",
              *(f"{kind} {n:,}{', windowed' if values == 'windowed' else ''}"
                for n, kind, values in columns)]
    for what, of in [("Accuracy", accuracy), ("AUROC", lambda cell: cell["auroc"])]:
        print(f"**{what}**, median over seeds (worst seed). Learned: {study.results['learned_bar']:.0%}"
              " or more right on what it trained on.\n")
        rows = []
        for name, members in study.members.items():
            rows.append([name, str(len(members)), str(sum(m["learned"] for m in members)),
                         *(middle_and_worst([of(c) for c in study.of(name, n, kind, values)])
                           for n, kind, values in columns)])
        table(header, rows)


def reports(study):
    print("**The reports' cases**: how each member ended.\n")
    rows = []
    for member in study.results["members"]:
        if member["recipe"].startswith("reported"):
            names = sorted({text.split(":")[0] for text in member["watchdogs"]})
            rows.append([member["recipe"], str(member["seed"]), f"{member['in_range']:.3f}",
                         ", ".join(names) or "–"])
    table(["recipe", "seed", "accuracy in range, swaps", "watchdogs"], rows)
    print("**The reports' numbers.**\n")
    table(["report", "quantity", "reported", "with the defect", "trained soundly"],
          [[r["report"], r["quantity"], r["reported"], r["with_defect"], r["truth"]]
           for r in study.results["reproductions"]])


def claims(study):
    print("**The claims.**\n")
    table(["claim", "statement", "verdict"],
          [[c["id"], c["statement"], f"**{c['verdict']}**" + (" (by argument)" if c["logical"] else "")]
           for c in study.results["claims"]])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    study = Study(sys.argv[1])
    for recipe in ["recipe", "recipe-max", "recipe-noisy-or", "hand-built"]:
        rates(study, recipe)
    required(study)
    everything(study)
    reports(study)
    claims(study)


if __name__ == "__main__":
    main()
