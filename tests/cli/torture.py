# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory that runs out, disks that fail and kills, one call after the other (curl's and SQLite's drill): a command gives
the answer that it gives without, or says what is wrong and leaves the file that it would have written as it was. So
does a window that saves its plan, if there is one; whatever happens to it, the edit is in the file or kept beside it."""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

library, *window, program, work, _ = (os.path.abspath(path) for path in sys.argv[1:])
DENSE = int(os.environ.get("CARDFIT_TORTURE", "1"))  # 10: ten times as many calls of every command
FILE_TROUBLE = 3
OLD = b"what stood there before\n"
os.makedirs(work, exist_ok=True)
os.chdir(work)


def run(arguments, fault=None, counts=None, output=None):
    environment = dict(os.environ, LD_PRELOAD=library)
    if fault:
        environment["CARDFIT_FAULT"] = fault
    if counts:
        environment["CARDFIT_CALLS"] = counts
    replaced = [output if word == "OUT" else word for word in arguments]
    return subprocess.run([program, *replaced], capture_output=True, env=environment, stdin=subprocess.DEVNULL)


def content(file):
    with open(file, "rb") as opened:
        return opened.read()


def write(file, text):
    with open(file, "wb") as opened:
        opened.write(text)


write("plan.json", subprocess.run([program, "plan", "llama-3-8b-8-h100"], capture_output=True, check=True).stdout)
write("run.sh", subprocess.run([program, "export", "plan.json", "--launch", "megatron"], capture_output=True).stdout)
PINS = [word for name in ("tensor", "pipeline", "context", "schedule", "recompute") for word in ("--pin", name)]
COMMANDS = {
    "estimate": (["estimate", "plan.json", "--json"], None),
    "export": (["export", "plan.json", "--launch", "megatron", "--output", "OUT"], ".sh"),
    "into": (["export", "plan.json", "--launch", "megatron", "--into", "run.sh", "--output", "OUT"], ".sh"),
    "trace": (["export", "plan.json", "--trace", "OUT"], ".json"),
    "import": (["import", "--from", "megatron", "run.sh", "--output", "OUT"], ".json"),
    "search": (["search", "plan.json", *PINS, "--threads", "2", "--csv", "--output", "OUT"], ".csv"),
    "sweep": (["sweep", "plan.json", "--x", "micro_batch_size=1,2", "--output", "OUT"], ".csv"),
    "calibrate": (["calibrate", "plan.json", "--step-seconds", "10", "--output", "OUT"], ".json"),
}


def some(count, first):
    """The first calls, and of the others ever fewer."""
    chosen, at = [], 1.0
    while at <= count:
        chosen.append(int(at))
        at = max(at + 1, at * (1 + 0.35 / DENSE)) if at >= first else at + 1
    return sorted({*chosen, *range(max(1, count - 2), count + 1)}) if count > 0 else []


class Drill:
    """One command, and what it answers undisturbed."""

    def __init__(self, name):
        self.name = name
        self.arguments, ending = COMMANDS[name]
        self.ending = ending
        self.expected = self.attempt(None, "undisturbed")
        if self.expected[0] not in (0, 1):
            sys.exit(f"FAILED: {name} ends with {self.expected[0]} undisturbed: {self.expected[2].decode()}")
        with open(f"{name}.calls") as file:
            self.calls = {call: int(count) for call, count in (line.split() for line in file)}

    def attempt(self, fault, label):
        folder = f"{self.name}.{label}"
        os.makedirs(folder, exist_ok=True)
        output = os.path.join(folder, "out" + (self.ending or ""))
        if self.ending:
            write(output, OLD)
        done = run(self.arguments, fault, None if fault else f"{self.name}.calls", output)
        written = content(output) if self.ending else None
        left = [file for file in os.listdir(folder) if file.startswith(".cardfit-")]
        if done.returncode == -9 or left:  # the next command that writes there removes what is left
            again = run(self.arguments, None, None, output)
            left = [file for file in os.listdir(folder) if file.startswith(".cardfit-")]
            if again.returncode != self.expected[0] or content(output) != self.expected[3]:
                left.append("and the next run gives another answer")
        for file in os.listdir(folder):
            os.remove(os.path.join(folder, file))
        os.rmdir(folder)
        return done.returncode, done.stdout, done.stderr, written, left

    def fault_of(self, call, at, how):
        """A sentence about what went wrong; None if nothing did."""
        code, answer, said, written, left = self.attempt(f"{call}:{at}:{how}", f"{call}{at}{how}")
        where = f"{self.name}, {call} {at} {how}: "
        if left:
            return where + f"leaves {left}"
        if how == "killed":
            if code != -9:
                return where + f"is not killed but ends with {code}"
            return None if written in (None, OLD, self.expected[3]) else where + "leaves a file that is neither"
        if code < 0:
            return where + f"dies of signal {-code}: {said.decode(errors='replace')[:200]}"
        if code == self.expected[0] and answer == self.expected[1]:
            return None if written == self.expected[3] else where + "says nothing and writes something else"
        if how != "fails":
            return where + f"is not tried again: ends with {code}: {said.decode(errors='replace')[:200]}"
        if code != FILE_TROUBLE and not (call == "read" and code in (64, 2)):
            return where + f"ends with {code}: {said.decode(errors='replace')[:200]}"
        if not said:
            return where + "says nothing"
        # Once the new file stands, only flushing the folder and printing are left.
        if written is not None and written not in (OLD, self.expected[3]):
            return where + "leaves a file that is neither the old nor the new one"
        return None

    def faults(self):
        """All that are tried: call, number, how."""
        for at in some(self.calls["malloc"], 30 if self.name == "estimate" else 4):
            yield "malloc", at, "fails"
        for call in ("read", "write", "fsync", "rename", "close"):
            if call in ("read", "close") and self.name != "import":
                continue  # every command reads the same presets
            for at in some(self.calls[call], 3):
                yield call, at, "fails"
                if call in ("read", "write"):
                    yield call, at, "short"
                    yield call, at, "interrupted"
                if call != "read" and self.ending:
                    yield call, at, "killed"


class WindowDrill:
    """A window that edits a plan, saves it and keeps its tabs: app/save_under_faults.cpp."""

    name = "window"
    EDITED = 'global_batch_size": 640'

    def __init__(self):
        code, said, self.old, self.new, _ = self.attempt(None, "undisturbed")
        if code != 0 or said != "saved\n" or self.old == self.new or self.EDITED not in self.new.decode():
            sys.exit(f"FAILED: the window ends with {code} undisturbed: {said}")
        with open("window.calls") as file:
            self.calls = {call: int(count) for call, count in (line.split() for line in file)}

    def attempt(self, fault, label):
        home = os.path.abspath(f"window.{label}")
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home)
        plan = os.path.join(home, "plan.json")
        shutil.copy("plan.json", plan)
        old = content(plan)
        environment = dict(os.environ, LD_PRELOAD=library, CARDFIT_FAULTS_WAIT="1", QT_QPA_PLATFORM="offscreen",
                           XDG_STATE_HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home)
        environment["CARDFIT_FAULT" if fault else "CARDFIT_CALLS"] = fault or "window.calls"
        done = subprocess.run([*window, plan, "640"], capture_output=True, env=environment, stdin=subprocess.DEVNULL)
        recovery = os.path.join(home, "cardfit", "recovery")
        kept = "".join(content(os.path.join(recovery, file)).decode() for file in os.listdir(recovery)
                       if file.endswith(".json"))
        written = content(plan)
        shutil.rmtree(home)
        return done.returncode, done.stdout.decode(), old, written, kept

    def fault_of(self, call, at, how):
        code, said, _, written, kept = self.attempt(f"{call}:{at}:{how}", f"{call}{at}{how}")
        where = f"window, {call} {at} {how}: "
        if (how == "killed") != (code == -9):
            return where + f"ends with {code}: {said}"
        if written not in (self.old, self.new):
            return where + "leaves a file that is neither the old nor the new one"
        if "saved" in said.splitlines() and written != self.new:
            return where + "says that it has saved, and has not"
        if written == self.old and self.EDITED not in kept:
            return where + f"loses the edit: {said}"
        if code == 0 and not said:
            return where + "says nothing"
        if how in ("short", "interrupted") and said != "saved\n":
            return where + f"is not tried again: {said}"
        return None

    def faults(self):
        for at in some(self.calls["malloc"], 4):
            yield "malloc", at, "fails"
        for call in ("read", "write", "fsync", "rename", "close"):
            for at in some(self.calls[call], 3):
                yield call, at, "fails"
                if call == "write":
                    yield call, at, "short"
                    yield call, at, "interrupted"
                    yield call, at, "killed"


tried = {}
failures = []
with ThreadPoolExecutor(2) as pool:
    for drill in (*pool.map(Drill, COMMANDS), *([WindowDrill()] if window else [])):
        faults = list(drill.faults())
        for (call, _, how), failure in zip(faults, pool.map(lambda fault: drill.fault_of(*fault), faults)):
            tried[call, how] = tried.get((call, how), 0) + 1
            if failure:
                failures.append(failure)
for (call, how), count in sorted(tried.items()):
    print(f"{call} {how}: {count} tried")
if min(tried.get((call, "fails"), 0) for call in ("malloc", "read", "write", "fsync", "rename", "close")) == 0:
    failures.append("a kind of call was never made: the library does not reach the program")
for failure in failures:
    print("FAILED:", failure, file=sys.stderr)
sys.exit(1 if failures else 0)
