# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the constants of core/time again and prints what moved; changes nothing.

    python3 fit_constants.py             refits them; builds the program for it: four to seven minutes
    python3 fit_constants.py --markdown  the table of measurements/README.md instead
    python3 fit_constants.py --build D   keeps that build in the folder D for the next time
    python3 fit_constants.py --check     fails if that README does not have what core/time says; fits and builds nothing

A constant is `constexpr double kName = value;` or `constexpr Seconds kName{value};` in the sources. The program has no
way to be given others, so a copy of the sources is built whose constants come from the environment. One constant moves
at a time while the others stay as they ship. What is made small is the mean over sources of the median error of
time.json's cases, so that a source counts once, however many runs it has. The value is looked for between half and
twice of what ships, among nine, then by golden section around the best of them. What only one source bears on is
printed but would be fitted to that source.

Needs Python 3.9 and what builds the core (.ci/install). `fit.py` fits what presets hold: curves and shares.
"""

import argparse
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
README = HERE / "measurements" / "README.md"
BEGIN, END = "<!-- fit_constants.py --markdown -->\n", "<!-- end of table -->"

# Which constants, by file below core/time: those that runs were asked about, or that no measurement of the part alone
# settles.
CONSTANTS = {
    "host_time.cpp": ("kLocalForward", "kLocalBackward", "kLargeModules", "kCompiled", "kNarrowModules",
                      "kExpertModules", "kAttentionLaunches", "kRouterLaunches", "kCountsWait"),
    "kernels.cpp": ("kReachedBandwidth", "kOneKernelEach", "kRowsOfKernels", "kConversionsAlone", "kGroupedRows",
                    "kFlash2OverFlash3", "kFlash2OverFlash1", "kSmallHeadLossBlackwell", "kAttentionBackwardRate",
                    "kBatchedProductEfficiency", "kDropoutPasses"),
    "passes.cpp": ("kHiddenByUserbuffers", "kRankExchangeStart"),
    "slowdown.h": ("kHidingShare", "kContention", "kCardSpread"),
    "step.cpp": ("kHiddenByPairing",),
    "step.h": ("kHostPerStep",),
    "collectives.cpp": ("kLinkShare",),
}

# Nothing is fitted to runs of models with recurrent layers (README.md).
NOT_FITTED = ("NVIDIA-NeMo/Megatron-Bridge hybrids",)

# From the environment, in the copy.
SETTABLE = """#include <cstdlib>
inline double settable(const char* name, double value)
{
    const char* given = std::getenv(name);
    return given ? std::atof(given) : value;
}
"""


# ---- The sources


class Constant:
    """One of the sources: the text of its value, and what the copy has instead."""

    def __init__(self, file, name):
        self.file = file
        self.name = name
        source = (ROOT / "core" / "time" / file).read_text(encoding="utf-8")
        found = re.findall(rf"constexpr (double|Seconds) {name}(?: = ([^;]*);|\{{([^}}]*)\}};)", source)
        if len(found) != 1:
            sys.exit(f"core/time/{file} has {len(found)} constants {name}")
        self.type, *texts = found[0]
        self.text = "".join(texts)
        if not re.fullmatch(r"[0-9.e/ -]+", self.text):
            sys.exit(f"core/time/{file}: {name} is {self.text}, no number")
        parts = [float(part) for part in self.text.split("/")]
        self.value = parts[0] / math.prod(parts[1:])

    def settable(self, source):
        return re.sub(rf"constexpr {self.type} {self.name}\b[^;]*;",
                      f'const {self.type} {self.name}{{settable("{self.name}", {self.text})}};', source)


def constants():
    return [Constant(file, name) for file, names in CONSTANTS.items() for name in names]


def build(folder, fitted):
    """The program without a window, of a copy of the sources with constants that can be set."""
    for part in ("CMakeLists.txt", "core", "app/cli", "presets", "resources", "tests/validation"):
        source, copy = ROOT / part, folder / "source" / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, dirs_exist_ok=True)
        else:
            shutil.copy2(source, copy)
    time = folder / "source" / "core" / "time"
    (time / "settable.h").write_text("#pragma once\n" + SETTABLE, encoding="utf-8")
    for file in CONSTANTS:
        text = (time / file).read_text(encoding="utf-8")
        for constant in fitted:
            if constant.file == file:
                text = constant.settable(text)
        text = text.replace("#include", '#include "core/time/settable.h"\n#include', 1)
        (time / file).write_text(text, encoding="utf-8")
    options = ("CMAKE_BUILD_TYPE=Release", "CMAKE_UNITY_BUILD=ON", "CARDFIT_GUI=OFF", "CARDFIT_TESTS=OFF",
               "CARDFIT_BENCHMARKS=OFF")
    commands = (["cmake", "-S", folder / "source", "-B", folder / "build", *(f"-D{option}" for option in options)],
                ["cmake", "--build", folder / "build", "--target", "cardfit-cli", "--parallel", str(os.cpu_count())])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}")
    return folder / "build" / "cardfit-cli"


# ---- Errors


class Judge:
    """Predicts the cases of time.json with other constants, by the program."""

    def __init__(self, program, home):
        self.program = program
        self.home = home  # without presets of the user's

    def errors(self, values):
        """Of every case's step time, by source."""
        given = {name: repr(value) for name, value in values.items()}
        done = subprocess.run([self.program, "validate", "time", "--json", "--cases", HERE / "time.json"],
                              env=dict(os.environ, XDG_DATA_HOME=str(self.home), **given), capture_output=True,
                              text=True, check=False)
        if not done.stdout:
            sys.exit(f"{self.program} validate time failed: {done.stderr.strip()}")
        sources = {}
        for case in json.loads(done.stdout)["cases"]:
            if case["group"] not in NOT_FITTED:
                sources.setdefault(case["group"], []).append(case["error"])
        return sources


def medians(errors):
    return {source: statistics.median(map(abs, cases)) for source, cases in errors.items()}


def cost(errors):
    return statistics.fmean(medians(errors).values())


def golden(of, low, high, width=0.01):
    """Asks `of` for values on the way to its least one between `low` and `high`."""
    share = (math.sqrt(5.0) - 1.0) / 2.0
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = of(left), of(right)
    while high - low > width:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = of(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = of(right)


class Fit:
    """Of one constant, the others as they ship."""

    OFF = 0.1
    STEPS = 4  # of the grid, to each side
    STEP = math.log(2.0) / STEPS

    def __init__(self, judge, constant, shipped):
        self.constant = constant
        self.sources = []
        self.cases = 0
        costs = {}

        def at(log):
            """The cost of the constant times e to this power; counts what moves."""
            errors = judge.errors({constant.name: constant.value * math.exp(log)}) if log else shipped
            moved = {source: sum(a != b for a, b in zip(cases, errors[source])) for source, cases in shipped.items()}
            self.sources = [source for source in shipped if moved[source] or source in self.sources]
            self.cases = max(self.cases, sum(moved.values()))
            costs[log] = cost(errors)
            return costs[log]

        # Of the mean error where the constant is OFF from its value, to the better side.
        self.growth = min(at(math.log(1.0 + off)) for off in (-self.OFF, self.OFF)) - cost(shipped)
        grid = [i * self.STEP for i in range(-self.STEPS, self.STEPS + 1)]
        best = min(grid, key=lambda log: (at(log), abs(log)))
        golden(at, max(best - self.STEP, grid[0]), min(best + self.STEP, grid[-1]))
        least = min(costs.values())
        best = min((log for log in costs if costs[log] < least + 1e-6), key=abs)  # of a plateau what is nearest
        self.at_bound = abs(best) > grid[-1] - self.STEP / 8.0
        self.value = float(f"{constant.value * math.exp(best):.3g}") if best else constant.value
        self.errors = judge.errors({constant.name: self.value})

    def told(self):
        return len(self.sources) > 1


# ---- What moved


def percent(value):
    return f"{100.0 * value:.2f}"


def print_text(fits, shipped, together):
    print(f"Mean over {len(shipped)} sources of the median error: {percent(cost(shipped))} % as shipped.\n")
    before = medians(shipped)
    for fit in fits:
        constant = fit.constant
        bearing = f"{fit.cases} cases, {len(fit.sources)} sources" if fit.told() else "one source: stays"
        print(f"{constant.name} (core/time/{constant.file}): {constant.value:.4g} -> {fit.value:.4g}"
              f"{', a bound of the search' if fit.at_bound else ''}; {percent(cost(fit.errors))} %; "
              f"{100 * fit.OFF:.0f} % off: {100 * fit.growth:+.2f} points; {bearing if fit.cases else 'no case'}")
        for source, after in medians(fit.errors).items():
            if after != before[source]:
                print(f"    {source:40} {percent(before[source]):>6} -> {percent(after):>6} %")
    print("\nAll that more than one source bears on at once:")
    for source, after in medians(together).items():
        print(f"    {source:40} {percent(before[source]):>6} -> {percent(after):>6} %")
    print(f"    {'mean of the sources':40} {percent(cost(shipped)):>6} -> {percent(cost(together)):>6} %")


def print_markdown(fits, shipped):
    """As README.md has it."""
    print(f"| constant | file | ships | alone it would be | points | {100 * Fit.OFF:.0f} % off | sources |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for fit in fits:
        constant = fit.constant
        found = f"{'at the bound ' if fit.at_bound else ''}{fit.value:.4g}" if fit.cases else ""
        print(f"| {constant.name} | {constant.file} | {constant.text} | {found} | "
              f"{100 * (cost(fit.errors) - cost(shipped)):+.2f} | {100 * fit.growth:+.2f} | {len(fit.sources)} |")


# ---- Checks


def check():
    """Every constant has a row with the value that it has in its file, and every row a constant."""
    _, begun, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    table, ended, _ = rest.partition(END)
    if not begun or not ended:
        sys.exit(f"{README} has no table of constants")
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")][:3] for line in table.splitlines()[2:]]
    shipped = [[one.name, one.file, one.text] for one in constants()]
    complaints = [f"core/time/{file}: {name} is {text}, not so in {README.name}"
                  for name, file, text in shipped if [name, file, text] not in rows]
    complaints += [f"{README.name}: {row[0]} is not as in core/time" for row in rows if row not in shipped]
    for complaint in complaints:
        print(complaint)
    print(f"{len(shipped)} constants, {len(complaints)} complaints")
    return 1 if complaints else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--markdown", action="store_true", help="print the table of measurements/README.md")
    parser.add_argument("--build", type=pathlib.Path, help="folder to keep the build in")
    parser.add_argument("--check", action="store_true", help="fail if measurements/README.md has other constants")
    options = parser.parse_args()
    if options.check:
        return check()

    with tempfile.TemporaryDirectory() as home:
        fitted = constants()
        judge = Judge(build(options.build or pathlib.Path(home), fitted), home)
        shipped = judge.errors({})
        fits = [Fit(judge, constant, shipped) for constant in fitted]
        if options.markdown:
            print_markdown(fits, shipped)
        else:
            print_text(fits, shipped, judge.errors({fit.constant.name: fit.value for fit in fits if fit.told()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
