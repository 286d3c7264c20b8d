#!/usr/bin/env python3
"""The tables of docs/performance.md and of the README, from what `heddle bench --peers --json` printed.

Usage: tools/bench_tables.py BENCH.json [machine|work|kernels|peers|short|products|start ...]     (all if none is named)
       tools/bench_tables.py RUN.json RUN.json ... shares       shares of peak, run beside run
"""
import json
import math
import statistics
import sys


def table(heads, rows):
    """Markdown; columns after the first are aligned to the right."""
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def number(value):
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def share(row):
    return f"{100 * row['share_of_peak']:.0f} % ({100 * row['share_of_peak_low']:.0f}–{100 * row['share_of_peak_high']:.0f})"


def spread(ratio):
    return f"**{ratio['median']:.2f}** ({ratio['low']:.2f}–{ratio['high']:.2f})"


def best(rates, name):
    return max((rate for rate in rates if rate["name"] == name), key=lambda rate: rate["samples_per_s"]["median"])


def machine(bench):
    m = bench["machine"]
    rows = [[label, number(m[key + "_one"]["median"]), number(m[key + "_all"]["median"])]
            for label, key in [("multiply-adds in registers, GFLOP/s", "peak_gflops"),
                               ("copying in memory, GB/s read and written", "memory_gb_s"),
                               ("copying 2 MiB in the cache, GB/s", "cache_gb_s")]]
    return table([f"{m['isa']}, {m['cores']} cores", "1 thread", f"{m['threads']} threads"], rows)


def is_kernel(row):
    return row["unit"] in ("rows", "heads", "numbers")


def work(bench):
    rows = [[row["name"], row["threads"], f"{row['batch'] * row['members']:,}", f"{number(row['samples_per_s'])} {row['unit']}",
             f"{row['nominal_operations'] * 1e-6:.3g}", f"{row['executed_operations'] * 1e-6:.3g}", share(row)]
            for row in bench["rows"] if not is_kernel(row)]
    return table(["work", "threads", "batch", "a second", "MFLOP on paper", "done", "of peak"], rows)


def kernels(bench):
    rows = []
    for row in filter(is_kernel, bench["rows"]):
        each = 1e9 / row["samples_per_s"]
        rows.append([row["name"], f"{number(each)} ns a {row['unit'][:-1]}", share(row) if row["nominal_operations"] else ""])
    return table(["kernel", "time", "of peak"], rows)


def program_duels(bench):
    """Each duel with whole programs, and our best rate in it; those in rows are single products."""
    for duel in bench["peers"]["duels"]:
        if duel["unit"] != "rows":
            yield duel, best(duel["heddle"], "Heddle")


def peers(bench):
    rows = []
    for duel, ours in program_duels(bench):
        for each in duel["ratios"]:
            theirs = best(duel["peers"], each["peer"])
            rows.append([f"{duel['name']}, batch {duel['batch']:,}", f"{number(ours['samples_per_s']['median'])} on {ours['threads']}",
                         each["peer"], f"{number(theirs['samples_per_s']['median'])} on {theirs['threads']}", spread(each["ratio"])])
    return table(["work", "Heddle", "against", "its rate", "times as fast"], rows)


def short(bench):
    """The peers again, a line a duel: for the README."""
    rows = []
    for duel, ours in program_duels(bench):
        name = duel["name"] if "ablations" in duel["name"] else f"{duel['name']}, batch {duel['batch']:,}"
        rows.append([name, f"{number(ours['samples_per_s']['median'])} {duel['unit']}"] +
                    [spread(each["ratio"]) for each in duel["ratios"]])
    peers_named = [each["peer"] for each in bench["peers"]["duels"][0]["ratios"]]
    return table(["work", "Heddle, a second"] + [f"times {name}" for name in peers_named], rows)


def products(bench):
    sums = {}
    for duel in bench["peers"]["duels"]:
        if duel["unit"] == "rows":
            for each in duel["ratios"]:
                sums.setdefault((duel["name"].split(" ")[0], each["peer"]), []).append(each["ratio"]["median"])
    rows = [[form, peer, f"**{math.exp(sum(map(math.log, values)) / len(values)):.2f}**", f"{min(values):.2f}", len(values)]
            for (form, peer), values in sums.items()]
    return table(["product", "against", "times as fast, geometric mean", "worst shape", "shapes"], rows)


def start(bench):
    program, build, step = (bench["start_ms"][part]["median"] for part in ("program", "build", "step"))
    return (f"From the start of the program to its first training step: {program + build:.1f} ms ({program:.1f} for the program, "
            f"{build:.1f} for data, model, weights and optimiser); the step itself, of 128 problems on one thread: {step:.1f} ms.")


def shares(runs):
    """Rows that all runs have, with the share of the peak in each: what a shared machine does to them."""
    def key(row):
        return (row["name"], row["threads"], row["batch"] * row["members"])
    found = [{key(row): row for row in run["rows"] if not is_kernel(row)} for run in runs]
    rows = []
    for row in filter(lambda row: all(key(row) in rows_of for rows_of in found), found[0].values()):
        values = [rows_of[key(row)]["share_of_peak"] for rows_of in found]
        rows.append([row["name"], row["threads"], f"{key(row)[2]:,}", " · ".join(f"{100 * value:.0f}" for value in values),
                     f"**{100 * statistics.median(values):.0f} %**"])
    return table([f"work, {runs[0]['machine']['isa']}", "threads", "batch", "% of peak, run by run", "median"], rows)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    if sys.argv[-1] == "shares":
        print(shares([load(path) for path in sys.argv[1:-1]]))
        return
    bench = load(sys.argv[1])
    tables = ["machine", "work", "kernels"] + (["peers", "products"] if "peers" in bench else []) + ["start"]
    for name in sys.argv[2:] or tables:
        print(globals()[name](bench) + "\n")


if __name__ == "__main__":
    main()
