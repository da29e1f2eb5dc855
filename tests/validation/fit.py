# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the constants of the step time again and prints what moved.

    python3 fit.py                                  the curves, from measurements/
    python3 fit.py --program build/release/cardfit  the shares as well, from time.json; two minutes
    python3 fit.py --program ... --write            and writes presets/accelerators
    python3 fit.py --check-curves                   fails if the shipped curves do not fit their measurements

The curves describe kernels and collectives measured alone (measurements/README.md says where). Each is the one with
the least mean relative error; nothing else enters, so two runs print the same.

A share is what a whole training step keeps of such a kernel's rate: one for each generation and number format, never
for a case, a model or a source. The program predicts every case of time.json with presets written to a temporary
folder, and a search moves one share at a time. What it makes small is the mean over sources of the mean error (of the
logarithm), so that a source counts once, however many runs it has.

Needs Python 3.9 and nothing else. `cardfit validate time --fit` does the same for the constants of the time model.
"""

import argparse
import csv
import itertools
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MEASUREMENTS = HERE / "measurements"
PRESETS = HERE.parent.parent / "presets"

# Presets that bear the curves of another card, as their "source" says: with its collectives or with their own, and
# with its efficiency times a factor, or with one that comes from elsewhere (None).
SAME_COLLECTIVES = True
BORROWED = {
    "a100-sxm-40": ("a100-sxm-80", SAME_COLLECTIVES, 1.0),
    "a100-pcie-40": ("a100-sxm-80", False, 252.9 / 271.2),
    "a100-pcie-80": ("a100-sxm-80", False, 252.9 / 271.2),
    "a800-sxm-80": ("a100-sxm-80", False, 1.0),
    "h800-sxm-80": ("h100-sxm-80", False, 1.0),
    "gh200": ("h200-sxm", False, 1.0),
    "h100-pcie-80": ("h100-sxm-80", False, None),
    "h100-sxm-96-500w": ("h100-sxm-80", SAME_COLLECTIVES, None),
    "h100-nvl-94": ("h100-sxm-80", False, None),
    "h200-nvl": ("h100-sxm-80", False, None),
    "h20": ("h100-sxm-80", SAME_COLLECTIVES, None),
}

# Cards whose efficiency is their own and not their generation's: power holds them back, or they are workstations. The
# B200 of MooreThreads/SimuMax are slow in 16 bits (their products alone reach 0.477 of the peak, commit 4dcaae5): its
# cases say so, not the preset.
OWN_SHARE = ("h100-sxm-96-500w", "rtx-pro-6000 bf16", "rtx-pro-6000 fp8", "rtx-pro-6000 fp4",
             "rtx-pro-6000 attention")

# Generations with one share for products in every format: what power and memory layouts cost, they cost in all, and no
# narrow format gains more than the peaks say. But for fp4, whose measured kernels are inference's, slower than those of training.
ONE_SHARE = ("blackwell", "hopper")

# Cards whose attention is that of training kernels (measurements/attention_training.csv), their own or another card's.
TRAINED_ATTENTION = {"gb200": "gb200", "b200-sxm": "gb200", "gb300": "gb300", "b300-sxm": "gb300",
                     "h100-sxm-80": "h200-sxm"}

# Not refitted here; measurements/README.md says more.
ELSEWHERE = (
    ("collective_curves of a100-pcie-40 and a100-pcie-80", "published as fitted, without the runs behind them"),
    ("gemm_efficiency of h100-pcie-80, h100-nvl-94, h200-nvl, h20 and all cards without curves", "by analogy or from data sheets and runs"),
    ("host time of layers, waits, overlap, memory traffic, rows of grouped products", "see cardfit validate time --fit"),
    ("cards without curves", "fixed in core/time/kernels.cpp"),
    ("protocols between nodes", "fixed in core/time/collectives.cpp"),
)


# ---- Least absolute relative error


def solved(matrix, right):
    """Of a small system of linear equations; none if it is singular."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(rows[row][i]))
        if abs(rows[pivot][i]) < 1e-300:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for row in range(i + 1, size):
            factor = rows[row][i] / rows[i][i]
            for column in range(i, size + 1):
                rows[row][column] -= factor * rows[i][column]
    result = [0.0] * size
    for i in reversed(range(size)):
        known = sum(rows[i][j] * result[j] for j in range(i + 1, size))
        result[i] = (rows[i][size] - known) / rows[i][i]
    return result


def mean_error(predicted, measured):
    return statistics.fmean(abs(p / m - 1.0) for p, m in zip(predicted, measured))


def weighted(columns, values, weights, free):
    """Least squares with weights in the coefficients that are free, the others zero; with the normal equations."""
    matrix = [[sum(w * a * b for w, a, b in zip(weights, columns[i], columns[j])) for j in free] for i in free]
    right = [sum(w * a * b for w, a, b in zip(weights, columns[i], values)) for i in free]
    found = solved(matrix, right)
    result = [0.0] * len(columns)
    for i, value in zip(free, found or ()):
        result[i] = value
    return result


def least_error(columns, measured, rounds=60):
    """Coefficients of `columns`, none of them negative, with the least mean relative error of their sum: least squares
    whose weights make up for the square, again and again."""
    columns = [[x / m for x, m in zip(column, measured)] for column in columns]
    ones = [1.0] * len(measured)
    weights = ones
    for _ in range(rounds):
        free = list(range(len(columns)))
        while True:
            result = weighted(columns, ones, weights, free)
            negative = [i for i in free if result[i] < 0.0]
            if not negative:
                break
            free = [i for i in free if i not in negative]
        sums = [sum(c * x for c, x in zip(result, row)) for row in zip(*columns)]
        weights = [1.0 / max(abs(s - 1.0), 1e-4) for s in sums]
    return result


def least_error_of_few(columns, measured):
    """The same for a dozen measurements, exactly: the best curve goes through as many of them as it has coefficients
    that are not zero, so all such curves are tried."""
    rows = [[column[i] / m for column in columns] for i, m in enumerate(measured)]
    count = len(columns)
    best = (math.inf, None)
    for size in range(1, count + 1):
        for free in itertools.combinations(range(count), size):
            if 0 not in free:
                continue  # without a bandwidth the rest says nothing
            for through in itertools.combinations(rows, size):
                found = solved([[row[j] for j in free] for row in through], [1.0] * size)
                if found is None or min(found) < 0.0:
                    continue
                result = [0.0] * count
                for j, value in zip(free, found):
                    result[j] = value
                error = sum(abs(sum(c * x for c, x in zip(result, row)) - 1.0) for row in rows)
                best = min(best, (error, result))
    return best[1]


# ---- Measured alone


def table(name):
    """Rows of a file of measurements: what was measured, then microseconds by card."""
    with open(MEASUREMENTS / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def measured_of(rows, keys, columns):
    """Keys and microseconds of all rows that have a value in one of the columns."""
    found = []
    for row in rows:
        found += [(*(int(row[key]) for key in keys), float(row[column])) for column in columns if row[column]]
    return found


class Curve:
    """One curve of a preset: what was measured of it, how it is fitted and where its constants are.

    `scale` is the share of the peak that the kernel tends to, on which no constant of the shape depends; it is not in a
    preset, whose efficiency is that times a share. Collectives have none."""

    def __init__(self, card, label, digits, measured):
        self.card = card
        self.label = label
        self.digits = digits
        self.measured = measured
        self.times = [row[-1] for row in measured]

    def error(self, constants, scale=1.0):
        return mean_error(self.predicted(constants, scale), self.times)

    def rounded(self, constants):
        """As many digits as a preset has."""
        return {name: round(constants[name], digits) if digits else round(constants[name])
                for name, digits in self.digits.items()}


class ProductCurve(Curve):
    """Matrix products: work / (peak x scale) x (1 + rows/M) (1 + inner/K) (1 + columns/N) + start."""

    def __init__(self, card, number_format, peak, measured):
        super().__init__(card, number_format, {"rows": 0, "inner": 0, "columns": 0, "start_us": 1}, measured)
        self.number_format = number_format
        self.ideal = [2e-6 * m * k * n / peak for m, k, n, _ in measured]  # microseconds at the peak

    def shape(self, constants):
        return [work * (1.0 + constants["rows"] / m) * (1.0 + constants["inner"] / k) * (1.0 + constants["columns"] / n)
                for work, (m, k, n, _) in zip(self.ideal, self.measured)]

    def predicted(self, constants, scale):
        return [shape / scale + constants["start_us"] for shape in self.shape(constants)]

    def scale_of(self, constants):
        """The best scale for given constants: a weighted median, as one coefficient's least absolute error is."""
        weights = sorted(((t - constants["start_us"]) / s, s / t) for s, t in zip(self.shape(constants), self.times))
        half = sum(weight for _, weight in weights) / 2.0
        for ratio, weight in weights:
            half -= weight
            if half <= 0.0:
                return 1.0 / ratio

    def fit(self, rounds=60):
        """Levenberg and Marquardt's steps on squares whose weights make up for the square. From the same start for
        all, so that what is shipped has no say."""
        narrow = self.number_format != "bf16"
        values = [1.25, 40.0, 60.0, 1500.0 if narrow else 30.0, 4.0]  # 1 / scale, rows, inner, columns, start
        lift = [[1.0 / row[i] for row in self.measured] for i in range(3)]
        over = [work / t for work, t in zip(self.ideal, self.times)]
        start = [1.0 / t for t in self.times]
        damping = 1e-3

        def residuals(v):
            a, rows, inner, columns, begin = v
            return [a * o * (1.0 + rows * m) * (1.0 + inner * k) * (1.0 + columns * n) + begin * s - 1.0
                    for o, m, k, n, s in zip(over, *lift, start)]

        error = residuals(values)
        for _ in range(rounds):
            weights = [1.0 / max(abs(e), 1e-3) for e in error]
            main = [e + 1.0 - values[4] * s for e, s in zip(error, start)]
            slopes = [[x / values[0] for x in main]]
            for i in range(3):
                slopes.append([x * r / (1.0 + values[1 + i] * r) for x, r in zip(main, lift[i])])
            slopes.append(start)
            gradient = [sum(w * g * e for w, g, e in zip(weights, slope, error)) for slope in slopes]
            free = [i for i in range(5) if values[i] > 0.0 or gradient[i] < 0.0]
            square = {(i, j): sum(w * a * b for w, a, b in zip(weights, slopes[i], slopes[j]))
                      for i in free for j in free if i <= j}
            before = sum(w * e * e for w, e in zip(weights, error))
            for _ in range(8):
                matrix = [[square[min(i, j), max(i, j)] * (1.0 + damping * (i == j)) for j in free] for i in free]
                step = solved(matrix, [-gradient[i] for i in free])
                tried = values[:]
                for i, d in zip(free, step):
                    tried[i] = max(0.0, tried[i] + d)
                after = residuals(tried)
                if sum(w * e * e for w, e in zip(weights, after)) <= before:
                    break
                damping *= 8.0
            else:
                break
            moved = max(abs(a - b) / max(a, b, 1.0) for a, b in zip(values, tried))
            values, error, damping = tried, after, max(damping / 8.0, 1e-9)
            if moved < 1e-4:
                break
        return {"rows": values[1], "inner": values[2], "columns": values[3], "start_us": values[4]}, 1.0 / values[0]

    def where(self, preset):
        return preset["matrix_curves"][self.number_format]

    def efficiency(self, preset):
        return preset["gemm_efficiency"], self.number_format


class AttentionCurve(Curve):
    """Fused attention, forward and causal: work / (peak x scale x s / (s + context)) + start."""

    def __init__(self, card, peak, measured):
        super().__init__(card, "attention", {"context": 0, "start_us": 1}, measured)
        head_size = 128
        self.per_token = [2e-6 * sequences * tokens * heads * head_size / peak
                          for sequences, tokens, heads, _, _ in measured]
        self.ideal = [work * row[1] for work, row in zip(self.per_token, measured)]

    def predicted(self, constants, scale):
        return [(whole + constants["context"] * part) / scale + constants["start_us"]
                for whole, part in zip(self.ideal, self.per_token)]

    def scale_of(self, constants):
        lengths = [whole + constants["context"] * part for whole, part in zip(self.ideal, self.per_token)]
        return 1.0 / least_error([lengths], [t - constants["start_us"] for t in self.times])[0]

    def fit(self):
        slow, context, start = least_error([self.ideal, self.per_token, [1.0] * len(self.times)], self.times)
        return {"context": context / slow, "start_us": start}, 1.0 / slow

    def where(self, preset):
        return preset["attention_curve"]

    def efficiency(self, preset):
        return preset["attention_curve"], "efficiency"


def trained_attention(presets, fits):
    """What the training kernels of a card tend to, as a part of its peak: their rate at one length, and the half-length
    of the curve."""
    rates = {row["card"]: (float(row["tokens"]), float(row["forward_tflops"]))
             for row in table("attention_training") if row["format"] == "bf16"}
    contexts = {curve.card: constants["context"] for curve, constants, _ in fits if isinstance(curve, AttentionCurve)}
    levels = {}
    for card, measured in TRAINED_ATTENTION.items():
        tokens, rate = rates[measured]
        levels[card] = rate / presets[measured]["tflops"]["bf16"] * (tokens + contexts[card]) / tokens
    return levels


class CollectiveCurve(Curve):
    """Collectives in one node: bytes on the link / bandwidth + root x sqrt(bytes) + start."""

    def __init__(self, card, collective, ranks, measured):
        super().__init__(card, f"{collective} {ranks}", {"gb_s": 1, "start_us": 1, "root_ns": 2}, measured)
        self.collective = collective
        self.ranks = ranks
        twice = 2.0 if collective == "all_reduce" else 1.0
        self.on_link = [twice * (ranks - 1) / ranks * size * 1e-3 for size, _ in measured]  # microseconds at 1 GB/s
        self.roots = [math.sqrt(size) * 1e-3 for size, _ in measured]

    def predicted(self, constants, scale=1.0):
        return [link / constants["gb_s"] + constants["root_ns"] * root + constants["start_us"]
                for link, root in zip(self.on_link, self.roots)]

    def scale_of(self, constants):
        return 1.0

    def fit(self):
        slow, root, start = least_error_of_few([self.on_link, self.roots, [1.0] * len(self.times)], self.times)
        return {"gb_s": 1.0 / slow, "start_us": start, "root_ns": root}, 1.0

    def where(self, preset):
        return next(one for one in preset["collective_curves"][self.collective] if one["ranks"] == self.ranks)

    def efficiency(self, preset):
        return None


def load_curves(presets):
    curves = []
    rows = table("matrix_products")
    for column in list(rows[0])[3:]:
        card, number_format = column.split(":")
        measured = measured_of(rows, ["rows", "inner", "columns"], [column])
        curves.append(ProductCurve(card, number_format, presets[card]["tflops"][number_format], measured))
    rows = table("attention")
    names = list(rows[0])[4:]
    for card in dict.fromkeys(name.split(":")[0] for name in names):  # a card may have been measured with two kernels
        columns = [name for name in names if name.split(":")[0] == card]
        keys = ["sequences", "tokens", "heads", "key_value_heads"]
        curves.append(AttentionCurve(card, presets[card]["tflops"]["bf16"], measured_of(rows, keys, columns)))
    rows = table("collectives")
    for card in list(rows[0])[3:]:
        for kind in dict.fromkeys((row["collective"], row["ranks"]) for row in rows):
            own = [row for row in rows if (row["collective"], row["ranks"]) == kind]
            measured = measured_of(own, ["bytes"], [card])
            if measured:
                curves.append(CollectiveCurve(card, kind[0], int(kind[1]), measured))
    return curves


# ---- Presets


def load_presets(folder):
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted((folder / "accelerators").glob("*.json"))}


def preset_text(preset):
    return json.dumps(preset, indent=2, ensure_ascii=False) + "\n"


def bearers(card, collectives):
    """Presets with the curves of a measured card, itself first."""
    return [card, *(one for one, (lender, same, _) in BORROWED.items()
                    if lender == card and (same or not collectives))]


def copied(presets):
    return json.loads(json.dumps(presets))


def put(mapping, name, value):
    """A whole number stays one where the preset has one."""
    whole = isinstance(mapping[name], int) and float(value).is_integer()
    mapping[name] = int(value) if whole else value


def with_curves(presets, fits):
    """Presets with the constants of fitted curves; efficiencies stay."""
    presets = copied(presets)
    for curve, constants, _ in fits:
        for card in bearers(curve.card, isinstance(curve, CollectiveCurve)):
            where = curve.where(presets[card])
            for name, value in curve.rounded(constants).items():
                put(where, name, value)
    return presets


# ---- Shares


class Share:
    """What whole steps keep of kernels' rates, in one generation and format, and the constants that follow from it: an
    efficiency is the share times what the kernel alone tends to."""

    LEAST = 0.3
    MOST = 1.0  # a step does not run a kernel faster than it runs alone

    def __init__(self, name):
        self.name = name
        self.members = []  # preset, its curve, what the kernel alone tends to on it

    def old(self, presets):
        """Of each member in turn; they are equal but for rounding, unless they were not fitted together."""
        return [constant(presets, card, curve) / alone for card, curve, alone in self.members]

    def start(self, presets):
        return min(max(statistics.median(self.old(presets)), self.LEAST), self.MOST)


def constant(presets, card, curve):
    where, name = curve.efficiency(presets[card])
    return where[name]


def shares_of(presets, fits):
    shares = {}
    attention = trained_attention(presets, fits)
    for curve, _, scale in fits:
        if isinstance(curve, CollectiveCurve):
            continue
        if isinstance(curve, AttentionCurve):
            scale = attention.get(curve.card, scale)
        for card in bearers(curve.card, False):
            factor = 1.0
            generation = presets[card]["architecture"]
            one = generation in ONE_SHARE and isinstance(curve, ProductCurve) and curve.number_format != "fp4"
            name = f"{generation} {'products' if one else curve.label}"
            if f"{card} {curve.label}" in OWN_SHARE:
                name = f"{card} {curve.label}"
            if card != curve.card and isinstance(curve, ProductCurve):
                factor = BORROWED[card][2]
                if card in OWN_SHARE:
                    name, factor = f"{card} {curve.label}", 1.0
                if factor is None or curve.number_format not in presets[card]["gemm_efficiency"]:
                    continue
            if card != curve.card and isinstance(curve, AttentionCurve):  # what slows a card's products slows attention
                factor = (presets[card]["gemm_efficiency"]["bf16"] / presets[curve.card]["gemm_efficiency"]["bf16"])
            shares.setdefault(name, Share(name)).members.append((card, curve, factor * scale))
    return list(shares.values())


def with_shares(presets, shares, values):
    """Shares without a value leave the efficiencies of their members as they are."""
    presets = copied(presets)
    for share, value in zip(shares, values):
        for card, curve, alone in share.members if value else ():
            where, name = curve.efficiency(presets[card])
            where[name] = round(value * alone, 3)
    return presets


class Judge:
    """Predicts the cases of time.json with other presets, by the program."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.cards = self.folder / "presets" / "accelerators"
        self.cards.mkdir(parents=True)
        self.runs = 0

    def errors(self, presets):
        """Logarithms of predicted over measured step time, by source and case."""
        for name, preset in presets.items():
            (self.cards / f"{name}.json").write_text(preset_text(preset), encoding="utf-8")
        self.runs += 1
        # Neither the user's own presets nor any later folder may stand in for these.
        environment = dict(os.environ, CARDFIT_PRESETS=str(self.folder / "presets"), XDG_DATA_HOME=str(self.folder),
                           QT_QPA_PLATFORM="offscreen")
        done = subprocess.run([self.program, "validate", "time", "--json", "--cases", str(HERE / "time.json")],
                              env=environment, capture_output=True, text=True, check=False)
        if not done.stdout:
            sys.exit(f"{self.program} validate time failed: {done.stderr.strip()}")
        sources = {}
        for case in json.loads(done.stdout)["cases"]:
            if case["predicted"] is not None:
                error = math.log(case["measured"] / case["predicted"])  # of the time, so the other way round
                sources.setdefault(case["group"], {})[case["id"]] = error
        return sources


def cost(errors):
    return statistics.fmean(statistics.fmean(map(abs, cases.values())) for cases in errors.values())


class Bearing:
    """How many cases a share bears on, and of which sources."""

    def __init__(self, errors, others):
        moved = {source: sum(cases[one] != others[source][one] for one in cases) for source, cases in errors.items()}
        self.sources = [source for source, count in moved.items() if count]
        self.cases = sum(moved.values())


class Search:
    """For the shares of the presets."""

    OFF = 0.05

    def __init__(self, judge, presets, shares):
        self.judge = judge
        self.presets = presets
        self.shares = shares
        self.none = [None] * len(shares)
        self.bearing = [self.bearing_of(i) for i in range(len(shares))]
        # One source's runs differ from the others' by more than the card. What only one bears on stays: it would be
        # fitted to that source.
        told = [i for i, bearing in enumerate(self.bearing) if len(bearing.sources) > 1]
        self.values = self.fitted(told, self.none)
        self.growth = {i: self.growth_of(i) for i in told}
        self.would_be = {i: self.fitted([i], self.values)[i] for i, bearing in enumerate(self.bearing)
                         if len(bearing.sources) == 1}

    def errors(self, values):
        return self.judge.errors(with_shares(self.presets, self.shares, values))

    def replaced(self, values, i, value):
        return values[:i] + [value] + values[i + 1:]

    def bearing_of(self, i):
        start = self.shares[i].start(self.presets)
        return Bearing(*(self.errors(self.replaced(self.none, i, value)) for value in (start, 0.97 * start)))

    def growth_of(self, i):
        """Of the mean error where the share is OFF from its value, to the better side."""
        off = [self.values[i] * factor for factor in (1.0 - self.OFF, 1.0 + self.OFF)]
        costs = [cost(self.errors(self.replaced(self.values, i, value))) for value in off]
        return min(costs) - cost(self.errors(self.values))

    def fitted(self, free, values):
        """Moves one share at a time, by ever smaller steps, until a round moves none."""
        values = values[:]
        for i in free:
            values[i] = self.shares[i].start(self.presets)
        least = cost(self.errors(values))
        for step in (0.08, 0.04, 0.02, 0.01, 0.005):
            moved = True
            while moved:
                moved = False
                for i in free:
                    for factor in (1.0 + step, 1.0 / (1.0 + step)):
                        value = min(max(values[i] * factor, Share.LEAST), Share.MOST)
                        tried = self.replaced(values, i, value)
                        found = cost(self.errors(tried)) if tried != values else least
                        if found < least - 1e-6:
                            values, least, moved = tried, found, True
                            break
        return values


# ---- What moved


def move(old, new):
    if old == new:
        return "    0 %"
    return f"{100.0 * (new / old - 1.0):+5.1f} %" if old else "      -"


def shipped_of(curve, presets, card=None):
    where = curve.where(presets[card or curve.card])
    return {name: where[name] for name in curve.digits}


def print_curves(presets, fits):
    """A line for every constant, and the error of the old and the new curve over the same measurements."""
    print("Curves: old, new, move. Beside the name: mean error of the old and of the new one over what was measured.\n")
    for curve, constants, scale in fits:
        shipped = shipped_of(curve, presets)
        new = curve.rounded(constants)
        before = curve.error(shipped, curve.scale_of(shipped))
        after = curve.error(constants, scale)
        print(f"{curve.card} {curve.label}: {len(curve.times)} measured, {100 * before:.2f} % -> {100 * after:.2f} %")
        for name in curve.digits:
            print(f"    {name:10} {shipped[name]:>8} {new[name]:>8} {move(shipped[name], new[name])}")
        if curve.efficiency(presets[curve.card]):
            old = curve.scale_of(shipped)
            print(f"    {'tends to':10} {old:8.3f} {scale:8.3f} {move(old, scale)}   of the peak")
    print()


def print_shares(presets, search):
    print("Shares: old, new, move; by how much the mean error grows where the share is "
          f"{100 * Search.OFF:.0f} % off, to the better side\n"
          "(little: the runs hardly tell); then the efficiencies that follow.\n")
    for i, share in enumerate(search.shares):
        old = share.old(presets)
        usual = statistics.median(old)
        spread = f" ({min(old):.3f} to {max(old):.3f})" if max(old) > 1.02 * min(old) else ""
        bearing, value = search.bearing[i], search.values[i]
        if not bearing.cases:
            print(f"{share.name}: {usual:.3f}{spread} stays, no case depends on it")
        elif not value:
            print(f"{share.name}: {usual:.3f}{spread} stays, only {bearing.sources[0]} bears on it, "
                  f"{bearing.cases} cases; it would have {search.would_be[i]:.3f}")
        else:
            print(f"{share.name}: {usual:.3f}{spread} -> {value:.3f} {move(usual, value)}"
                  f"   {100 * search.growth[i]:+.2f} points; {bearing.cases} cases, {len(bearing.sources)} sources"
                  f"{'; at its bound' if value in (Share.LEAST, Share.MOST) else ''}")
        for card, curve, alone in share.members if value else ():
            before, after = constant(presets, card, curve), round(value * alone, 3)
            print(f"    {card:20} {before:8.3f} {after:8.3f} {move(before, after)}")
    print()


def print_errors(states):
    """Of several states of the presets, by source: the median and the mean error of the step time."""
    print(f"{'Errors, median and mean:':42}" + "".join(f"{name:>20}" for name, _ in states))

    def line(label, of):
        print(f"{label:42}" + "".join(f"{100 * a:11.1f} {100 * b:6.1f} %" for a, b in map(of, (e for _, e in states))))

    def error(cases):
        off = [abs(math.exp(one) - 1.0) for one in cases.values()]
        return statistics.median(off), statistics.fmean(off)

    for source in sorted(states[0][1]):
        line(f"{source}, {len(states[0][1][source])} cases", lambda errors, source=source: error(errors[source]))
    line("mean of the sources", lambda errors: tuple(map(statistics.fmean, zip(*map(error, errors.values())))))
    print()


# ---- Checks

# By how much the shipped curves may be worse than the best ones, as a part of the measured times, and how far the two
# may be apart. Constants of one curve stand in for each other (rows for columns, start for root), so that curves are
# compared where they were measured and not constant by constant. What ships was fitted on all shapes, the tables hold
# a part of them, and its search did not always end at the best curve: today's largest figures are 0.3 points and 2.7 %
# for kernels, 1.0 points and 7.3 % for collectives, a dozen measurements each, which scatter by up to 16 %.
WORSE = {ProductCurve: 0.005, AttentionCurve: 0.005, CollectiveCurve: 0.015}
APART = {ProductCurve: 0.03, AttentionCurve: 0.03, CollectiveCurve: 0.08}
# The search behind what ships ended far from the best curve.
ENDED_EARLY = ("l40s all_to_all 8", "rtx-pro-6000 all_to_all 4")


def complaints_of(presets, fits):
    complaints = []
    for curve, constants, scale in fits:
        shipped = shipped_of(curve, presets)
        old_scale = curve.scale_of(shipped)
        worse = curve.error(shipped, old_scale) - curve.error(constants, scale)
        apart = mean_error(curve.predicted(shipped, old_scale), curve.predicted(constants, scale))
        name = f"{curve.card} {curve.label}"
        if (worse > WORSE[type(curve)] or apart > APART[type(curve)]) and name not in ENDED_EARLY:
            complaints.append(f"{name}: error {100 * worse:+.2f} points, times {100 * apart:.1f} % apart")
        for card in bearers(curve.card, isinstance(curve, CollectiveCurve))[1:]:
            if shipped_of(curve, presets, card) != shipped:
                complaints.append(f"{card} {curve.label}: not that of {curve.card}")
    return complaints


def check_curves(presets, fits):
    complaints = complaints_of(presets, fits)
    for complaint in complaints:
        print(complaint)
    print(f"{len(fits)} curves fitted, {len(complaints)} do not match what ships")
    return 1 if complaints else 0


# ---- The command


def write(folder, presets, old):
    for name, preset in presets.items():
        path = folder / "accelerators" / f"{name}.json"
        if preset == old[name]:
            continue
        if path.read_text(encoding="utf-8") != preset_text(old[name]):
            sys.exit(f"{path}: not laid out as this script writes; nothing written to it")
        path.write_text(preset_text(preset), encoding="utf-8")
        print(f"written: {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", help="cardfit, to fit the shares as well")
    parser.add_argument("--presets", type=pathlib.Path, default=PRESETS, help="folder of presets (the shipped ones)")
    parser.add_argument("--write", action="store_true", help="write the presets; efficiencies only with --program")
    parser.add_argument("--check-curves", action="store_true", help="fail if shipped curves do not fit")
    options = parser.parse_args()

    shipped = load_presets(options.presets)
    fits = [(curve, *curve.fit()) for curve in load_curves(shipped)]
    if options.check_curves:
        return check_curves(shipped, fits)

    print_curves(shipped, fits)
    presets = with_curves(shipped, fits)
    if options.program:
        with tempfile.TemporaryDirectory() as folder:
            judge = Judge(options.program, folder)
            search = Search(judge, presets, shares_of(presets, fits))
            fitted = with_shares(presets, search.shares, search.values)
            print_shares(presets, search)
            print_errors([("as shipped", judge.errors(shipped)), ("new curves", judge.errors(presets)),
                          ("new shares as well", judge.errors(fitted))])
            print(f"({judge.runs} runs of the program)\n")
        presets = fitted
    print("Not refitted here:")
    for what, why in ELSEWHERE:
        print(f"    {what}: {why}")
    if options.write:
        write(options.presets, presets, shipped)
    return 0


if __name__ == "__main__":
    sys.exit(main())
