#!/usr/bin/env python3
"""Prints the findings of an addition study as Markdown, every number read from its results.json.

Usage: tools/study_summary.py STUDY
"""
import json
import pathlib
import sys

MODULES = ["encoder.0.self", "encoder.1.self", "decoder.0.self", "decoder.0.cross", "decoder.1.self",
           "decoder.1.cross"]


def number(value, scale=1.0, digits=1):
    return "–" if value is None else f"{scale * value:.{digits}f}"


def find(population, part, name, kind=None):
    for estimate in population[part]:
        if estimate["name"] == name and kind in (None, estimate["kind"]):
            return estimate
    return None


def share(estimate):
    """hits of seeds, with the exact interval in per cent."""
    if estimate is None:
        return "–"
    return (f"{estimate['hits']} of {estimate['seeds']} "
            f"[{number(estimate['low'], 100, 0)}, {number(estimate['high'], 100, 0)}] %")


def median(estimate, scale=1.0, digits=1):
    if estimate is None:
        return "–"
    return (f"{number(estimate['value'], scale, digits)} "
            f"[{number(estimate['low'], scale, digits)}, {number(estimate['high'], scale, digits)}]")


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    study = json.loads((pathlib.Path(sys.argv[1]) / "results.json").read_text())
    populations = study["populations"]
    names = [f"{p['recipe']} ({len(p['seeds'])} seeds)" for p in populations]

    print("**Scores** on problems never trained on.\n")
    table(["", *names], [
        ["members without an error", *(share(find(p, "headline", "no error on the test problems"))
                                       for p in populations)],
        ["greedy, median, %", *(median(find(p, "headline", "greedy accuracy", "median"), 100, 2)
                                for p in populations)],
        ["greedy, worst seed, %", *(number(find(p, "headline", "greedy accuracy", "worst")["value"], 100, 2)
                                    for p in populations)],
        ["teacher-forced, median, %", *(median(find(p, "headline", "teacher-forced accuracy"), 100, 2)
                                        for p in populations)]])

    print("**Where the most critical head sits** (largest drop in exact match, mean ablation): seeds, exact 95 % interval.\n")
    table(["module", *names],
          [[m, *(share(find(p, "critical_module", m)) for p in populations)] for m in MODULES])

    print("**Drop of the head at each rank**, points, median over seeds with its interval.\n")
    table(["rank", *names],
          [[str(r), *(median(find(p, "profile", f"rank {r}"), 100) for p in populations)]
           for r in (1, 2, 3, 4, 6, 8, 12)])

    print("**Pruning**, heads of 24 unless said otherwise: median over seeds with its interval.\n")
    rows = []
    for name, scale in (("heads within 1 point (zero ablation)", 1), ("heads within 5 points (zero ablation)", 1),
                        ("heads within a relative 1 % (zero ablation)", 1),
                        ("joint cost of the heads within 1 point (zero ablation)", 100),
                        ("joint cost of the heads within 1 point (mean ablation)", 100)):
        label = name + (", points" if scale == 100 else "")
        rows.append([label, *(median(find(p, "pruning", name), scale) for p in populations)])
    for by in ("measured", "gradient", "random"):
        name = f"heads that go for free, by {by}"
        rows.append([name, *(median(find(p, "pruning", name, "median")) for p in populations)])
        rows.append([name + ", worst seed",
                     *(number(find(p, "pruning", name, "worst")["value"], 1, 0) for p in populations)])
    table(["", *names], rows)

    print("**What carries the carry**: the largest share of the logit difference that patching one head moves, per kind of\n"
          "attention; median over seeds.\n")
    kinds = {"encoder.0.self.head.*": "encoder 0", "encoder.1.self.head.*": "encoder 1",
             "decoder.*.cross.head.*": "decoder cross", "decoder.*.self.head.*": "decoder self"}
    rows = []
    for column, label in ((0, "units"), (1, "tens"), (2, "hundreds")):
        for pattern, kind in kinds.items():
            rows.append([f"carry of the {label}: {kind}",
                         *(median(find(p, "circuit", f"carry out of column {column}: strongest of {pattern}"), 1, 2)
                           for p in populations)])
    table(["", *names], rows)

    print("**Roles** (docs/roles.md): seeds with at least one such head.\n")
    roles = sorted({e["name"] for p in populations for e in p["roles"]})
    table(["role", *names], [[r, *(share(find(p, "roles", r)) for p in populations)] for r in roles])

    print("**Heads matched across seeds** by what they attend to: rank correlation of their effects, beside random pairings within modules.\n")
    table(["", *names], [
        ["matched", *(f"{number(p['matching']['agreement'], 1, 2)} [{number(p['matching']['low'], 1, 2)}, "
                      f"{number(p['matching']['high'], 1, 2)}]" if p["matching"]["pairs_of_members"] else "–"
                      for p in populations)],
        ["random", *(number(p["matching"]["random"], 1, 2) if p["matching"]["pairs_of_members"] else "–"
                     for p in populations)]])

    print("**Claims.** Rules: `src/heddle/study/addition/written_claims.cpp`.\n")
    rows = []
    for claim in study["claims"]:
        found = "; ".join(f"{f['recipe']} {f['hits']}/{f['seeds']}" for f in claim["findings"])
        verdict = claim["verdict"] + (" (by argument)" if claim["logical"] else "")
        rows.append([claim["id"], claim["statement"], f"**{verdict}**", found])
    table(["", "claim", "verdict", "members for which the predicate holds"], rows)

    print("**The reports' numbers.**\n")
    table(["report", "quantity", "reported", "with the defect", "truth"],
          [[r["report"], r["quantity"], r["reported"], r["with_defect"], r["truth"]]
           for r in study["reproductions"]])
    best = study["best_cut"]
    if best["census"]["total"]:
        print(f"**The best cut on the census**: seed {best['seed']} without {len(best['cut'])} heads "
              f"({best['heads_left']} left, {best['parameters']:,} parameters): "
              f"{best['census']['correct']:,} of {best['census']['total']:,} right.")


if __name__ == "__main__":
    main()
