"""Tiny runs of every command that reads or writes, for the campaigns beside this file.

A scenario is a folder that is prepared once and one command line; each trial gets a copy of the
folder. What a trial leaves is held to what an undisturbed run leaves.
"""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "import"

CRASHED = 99  # kCrashExit of base/file/faults.hpp

SMALL = ["d_model=8", "d_ff=8", "heads=2", "encoder_layers=1", "decoder_layers=1"]
STEPS = ["digits=1", "steps=6", "batch=8", "eval_every=2"]
STUDY = ["steps=4", "batch=8", "eval_every=2"] + [f"study.{setting}" for setting in (
    "reported_steps=4", "corrected=0", "reported_zero=0", "test=10", "reference=10", "ablation=8",
    "donors=2", "pairs=4", "choose=6", "score=8", "random_orders=1", "free_heads=8",
    "fine_tune_steps=2", "scratch_steps=3", "specialise=8", "patch_pairs=4", "probe_train=40",
    "probe_test=40", "snapshots=2", "snapshot_problems=6")]
SORTEDNESS = ["batch=8"] + [f"study.{setting}" for setting in (
    "d_model=8", "layers=1", "steps=4", "required=0", "reported_steps=4", "reported_d_model=8",
    "seeds=2", "variants=0", "contrasts=0", "reported=0", "count=4", "recipe_count=4", "far_count=2", "longest=32",
    "explain_pairs=1")]
PAIRS = "input,output\n" + "".join(f"{a} {b} {c},{c} {b} {a}\n" for a in "xyz" for b in "xyz"
                                   for c in "uvwxyz")

TRAIN = ["train", "addition", "--out", "run", "--set", *STEPS, *SMALL]
SWEEP = ["train", "addition", "--out", "sweep", "--seeds", "2", "--set", *STEPS, *SMALL, "lr=0.001,0.002"]
STUDY_ADDITION = ["study", "addition", "--out", "study", "--set", *STUDY, *SMALL]
STUDY_SORTEDNESS = ["study", "sortedness", "--out", "study", "--set", *SORTEDNESS]


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    words: list
    before: list = dataclasses.field(default_factory=list)  # calls that prepare the folder
    files: dict = dataclasses.field(default_factory=dict)  # texts that lie in it
    timed: bool = False  # its output has measured times
    faults: str = ""  # with which the last call before is made


SCENARIOS = [
    Scenario("train", TRAIN),
    Scenario("resume", TRAIN, before=[TRAIN], faults="crash-before@150"),
    Scenario("train file", ["train", "file:pairs.csv", "--out", "run", "--set", "d_model=8", "d_ff=8",
                            "heads=2", "encoder_layers=1", "decoder_layers=1", "steps=6", "batch=8",
                            "eval_every=3"], files={"pairs.csv": PAIRS}),
    Scenario("train sortedness", ["train", "sortedness", "--out", "run", "--set", "steps=4", "batch=4",
                                  "eval_every=2", "d_model=8", "d_ff=8", "heads=2", "layers=1"]),
    Scenario("sweep", SWEEP),
    Scenario("study addition", STUDY_ADDITION),
    Scenario("study sortedness", STUDY_SORTEDNESS),
    Scenario("member", ["member", "sweep", "lr=0.001/seed-1"], before=[[*SWEEP, "--plan"]]),
    Scenario("conclude", ["conclude", "sweep"], before=[
        [*SWEEP, "--plan"], *(["member", "sweep", f"lr={lr}/seed-{seed}"]
                              for lr in ("0.001", "0.002") for seed in (1, 2))]),
    Scenario("report", ["report", "run"], before=[TRAIN, ["ablate", "run"]]),
    Scenario("report again", ["report", "sweep"], before=[SWEEP]),
    Scenario("prune", ["prune", "run", "--keep", "4", "--out", "small"], before=[TRAIN],
             timed=True),
    Scenario("import", ["import", str(GOLDEN / "adder.safetensors"), "--map",
                        str(GOLDEN / "adder_map.json"), "--reference",
                        str(GOLDEN / "adder_dump.safetensors"), "--out", "theirs"]),
    Scenario("capture", ["capture", "run", "3+4", "--tap", "**.pattern", "--out", "acts.npz"],
             before=[TRAIN, ["capture", "run", "1+2", "--tap", "**", "--out", "acts.npz"]]),
    Scenario("attend", ["attend", "run", "3+4", "--out", "map.svg"], before=[TRAIN]),
    Scenario("ablate", ["ablate", "run"], before=[TRAIN]),
    Scenario("specialise", ["specialise", "run"], before=[TRAIN]),
    Scenario("eval", ["eval", "run", "--census"], before=[TRAIN]),
    Scenario("ask", ["ask", "run", "3+4", "--json"], before=[TRAIN]),
    Scenario("audit", ["audit", "run"], before=[TRAIN]),
]


@dataclasses.dataclass
class Outcome:
    code: int  # −signal if one ended it
    out: str
    err: str

    def own_lines(self):
        return [line for line in self.err.splitlines() if line.startswith("heddle: ")]


def environment_of(words, faults=""):
    """Of a call. A study finds no program that draws PNGs: most of its time would go there, and
    sweeps and reports have theirs drawn."""
    environment = {**os.environ, "LC_ALL": "C"}
    environment.pop("HEDDLE_FAULTS", None)
    if faults:
        environment["HEDDLE_FAULTS"] = faults
    if words[0] == "study":
        environment["PATH"] = "/nonexistent"
    return environment


def call(program, words, folder, faults="", prefix=(), limit=120, **options):
    """The program in that folder, on one thread unless the words say otherwise."""
    environment = environment_of(words, faults)
    words = [*(shutil.which(word) or word for word in prefix[:1]), *prefix[1:], str(program), *words,
             "--quiet"]
    if "--threads" not in words:
        words += ["--threads", "1"]
    done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", timeout=limit,
                          check=False, **options)
    return Outcome(done.returncode, done.stdout, done.stderr)


def prepare(program, scenario, folder):
    folder.mkdir(parents=True)
    for name, text in scenario.files.items():
        (folder / name).write_text(text)
    for i, words in enumerate(scenario.before):
        last = i + 1 == len(scenario.before)
        outcome = call(program, words, folder, scenario.faults if last else "")
        if outcome.code not in ((99,) if last and scenario.faults else (0,)):
            raise SystemExit(f"{scenario.name}: {' '.join(words)}: {outcome.code} {outcome.err}")


def copy(base, to):
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(base, to, symlinks=True)
    return to


# ── what a folder holds ────────────────────────────────────────────────────────────────────────

TIMED_KEYS = {"seconds", "samples_per_second", "checksum"}  # the last is over the others


def timeless(value):
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMED_KEYS}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def without_seconds(text):
    return re.sub(r"[\d.,]+ (s|min|h)\b", "", text)


def content(path):
    """The file's bytes without what a clock wrote."""
    data = path.read_bytes()
    if path.name == "training.safetensors":  # its log has seconds: the numbers alone
        return data[8 + int.from_bytes(data[:8], "little"):]
    if path.name.startswith("timing"):  # nothing else is in it
        return b""
    if path.name == "training_log.json":
        return json.dumps(timeless(json.loads(data)), sort_keys=True).encode()
    if path.name == "training_log.csv":
        rows = [line.split(b",") for line in data.splitlines()]
        timed = {i for i, cell in enumerate(rows[0]) if b"second" in cell}
        return b"\n".join(b",".join(cell for i, cell in enumerate(row) if i not in timed)
                          for row in rows)
    return data


def tree(folder):
    """Path → content of every file but locks."""
    return {str(path.relative_to(folder)): content(path) for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.endswith(".lock")}


ENDINGS = {".json": b"}", ".svg": b"</svg>", ".html": b"</html>", ".md": b"\n", ".csv": b"\n"}


def is_whole(path):
    """Nothing is missing at the file's end."""
    data = path.read_bytes()
    if path.suffix == ".safetensors":
        start = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:start])
        return len(data) - start == max(entry["data_offsets"][1] for name, entry in header.items()
                                        if name != "__metadata__")
    if path.suffix == ".npz":
        return data[-22:-18] == b"PK\x05\x06"
    if path.suffix == ".json":
        json.loads(data)
    ending = ENDINGS.get(path.suffix)
    return ending is None or (data if ending == b"\n" else data.rstrip()).endswith(ending)


def is_leftover(name):
    return ".heddle-" in name or name.endswith("~")


def not_whole(folder, known):
    """Files that are neither as in one of the trees `known` nor whole by themselves."""
    broken = []
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if not path.is_file() or path.name.endswith(".lock") or is_leftover(name):
            continue
        try:
            if not is_whole(path) and all(content(path) != there.get(name) for there in known):
                broken.append(name)
        except (ValueError, KeyError):
            broken.append(name)
    return broken


def differing(got, expected):
    names = sorted(name for name in set(got) | set(expected) if got.get(name) != expected.get(name))
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


# ── trials on all cores ────────────────────────────────────────────────────────────────────────

class Workplace:
    """A folder for all trials; in memory where that is possible, for their syncs take no time there."""

    def __enter__(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-campaign-", dir=memory))
        return self.folder

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


def cores():
    return len(os.sched_getaffinity(0))


def on_all_cores(job, items, jobs=None):
    """job(item) for each; results as they come."""
    with concurrent.futures.ThreadPoolExecutor(jobs or cores()) as pool:
        running = [pool.submit(job, item) for item in items]
        for done in concurrent.futures.as_completed(running):
            yield done.result()


def program_of(text):
    program = pathlib.Path(text).resolve()
    if not os.access(program, os.X_OK):
        raise SystemExit(f"{program} is no program")
    return program
