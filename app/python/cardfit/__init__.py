# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans large-model training runs: memory of every card, pipeline timeline, step time.

A plan is a dict as in a plan file (``cardfit.schema("plan")``), the id of a shipped plan
(``cardfit.presets("plans")``) or model, or the path of a plan file, a launcher's file or a Hugging Face
``config.json``. Every function that takes one also takes

``set``
    fields that are changed first, by JSON pointer: ``{"/parallelism/tensor": 4}``; ``None`` is the
    default, or what the framework does,
``on``
    a cluster instead of the plan's, ``"dgx-h100"`` or ``"dgx-h100:8"`` with that many nodes,
``model``
    a model instead of the plan's: id, or path of a ``config.json``.

Answers are what the command of the same name prints with ``--json``. Memory is in bytes, time in
seconds, bandwidth in GB/s (1e9 bytes), rates in TFLOP/s. What is wrong raises :class:`Error`; what of a
launcher's file a plan cannot hold, and what had to be assumed, is a :class:`Warning`.
"""

import difflib as _difflib
import html as _html
import json as _json
import os as _os


class Error(ValueError):
    """A plan, file or option that cannot be used, and where in it.

    ``code``: ``"out-of-range"``, ``"cannot-read"`` …; ``file``: path, or ``""``; ``where``: JSON pointer, or line
    and column, or ``""``; ``message``: what was found and what was expected.
    """

    def __init__(self, error):
        fields = _json.loads(error)["error"]
        self.code, self.file = fields["code"], fields["file"]
        self.where, self.message = fields["where"], fields["message"]
        super().__init__(": ".join(part for part in (self.file, self.where, self.message) if part))


class Warning(UserWarning):
    """What was not mapped, was assumed, or follows from an option."""


_COLOURS = {
    "weights": "#4477aa",
    "gradients": "#66ccee",
    "optimizer": "#228833",
    "activations": "#ee6677",
    "temporary": "#ccbb44",
    "communication": "#aa3377",
    "device_context": "#999999",
    "reserve": "#dddddd",
}


class Estimate(dict):
    """What ``cardfit estimate --json`` prints (``cardfit.schema("estimate")``); a notebook shows it as a chart.

    A plan that breaks a rule which prevents the estimate has no ``stages``, and ``step`` is ``None``.
    """

    @property
    def worst(self):
        """The stage whose card has the least free memory; ``None`` without stages."""
        return min(self["stages"], key=lambda stage: stage["capacity_bytes"] - stage["device_bytes"], default=None)

    def _repr_svg_(self):
        """A bar for every stage: bytes on one of its cards, stacked by what they are, and the capacity."""
        bar, gap, left, width = 20, 6, 90, 560
        stages = self["stages"]
        most = max((max(stage["device_bytes"], stage["capacity_bytes"]) for stage in stages), default=1)
        height = 30 + (bar + gap) * len(stages) + 24
        shapes = []

        def text(x, y, said, anchor="start"):
            shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_html.escape(said)}</text>')

        if stages:
            step = f", step {self['step']['seconds']:.3g} s"
            text(4, 16, f"{self['plan']}: {'fits' if self['fits'] else 'does not fit'}{step}")
        else:
            text(4, 16, f"{self['plan']}: no estimate: " + ", ".join(check["id"] for check in self["checks"]))
        for row, stage in enumerate(stages):
            top = 28 + row * (bar + gap)
            x = float(left)
            text(left - 6, top + 14, f"stage {stage['stage']}", "end")
            for segment, colour in _COLOURS.items():
                size = stage["bytes"][segment]
                wide = size / most * width
                said = _html.escape(f"{segment} {size / 1e9:.2f} GB")
                shapes.append(
                    f'<rect x="{x:.1f}" y="{top}" width="{wide:.1f}" height="{bar}" fill="{colour}">'
                    f"<title>{said}</title></rect>"
                )
                x += wide
            end = left + stage["capacity_bytes"] / most * width
            shapes.append(f'<path d="M{end:.1f} {top - 2}v{bar + 4}" stroke="#bb0000" stroke-width="2"/>')
            text(left + width + 8, top + 14, f"{stage['device_bytes'] / 1e9:.1f} GB")
        if stages:
            x = left
            for segment, colour in _COLOURS.items():
                shapes.append(f'<rect x="{x}" y="{height - 16}" width="8" height="8" fill="{colour}"/>')
                text(x + 11, height - 8, segment.replace("_", " "))
                x += 24 + 6 * len(segment)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 80}" height="{height}" '
            f'font-family="sans-serif" font-size="11" fill="currentColor">{"".join(shapes)}</svg>'
        )


_presets = _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "presets")
_validation = _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "validation")

from . import _cardfit  # noqa: E402 - the module asks this one for the names above

__version__ = _cardfit.__version__
__all__ = [
    "Error", "Estimate", "Warning", "advise", "check", "compare", "estimate", "explain", "export_launch",
    "import_launch", "plan", "presets", "schema", "search", "sweep",
]  # fmt: skip


def estimate(plan, set=None, on="", model="", fields=()):
    """Memory of every stage in bytes, step time in seconds, checks.

    ``fields``: only these values, by path, as a plain dict: ``["step.seconds", "worst.device_bytes"]``, where
    ``worst`` is the stage with the least free memory. The quickest way to ask for many plans.
    """
    return _cardfit.estimate(plan, set, on, model, list(fields))


def plan(plan, set=None, on="", model=""):
    """The plan as a dict, with all its values, as in a plan file."""
    return _cardfit.plan(plan, set, on, model)


def check(plan, set=None, on="", model=""):
    """Verdict (``fits``, ``tight``, ``refused``, ``over``, ``invalid``), worst card in bytes, broken rules, what was assumed."""
    return _cardfit.check(plan, set, on, model)


def advise(plan, set=None, on="", model=""):
    """The largest model, sequence and micro-batch that fit, the fewest cards, and single changes that help."""
    return _cardfit.advise(plan, set, on, model)


def compare(before, after):
    """What differs between two plans, in inputs, bytes and seconds."""
    return _cardfit.compare(before, after)


def explain(plan, figure, set=None, on="", model=""):
    """Where a figure such as ``"stage0.activations"`` comes from: sentence, formula, numbers, source."""
    return _cardfit.explain(plan, figure, set, on, model)


_SEARCH_OPTIONS = (
    "values", "pins", "free", "cards", "accelerators", "objective", "limits", "pareto", "top", "threads", "why",
    "margin", "deadline", "budget", "solve",
)  # fmt: skip


def search(plan, set=None, on="", model="", **options):
    """The best plans of a space, exactly.

    Options, as of the command: ``values`` (``["tensor=1,2,4"]``), ``pins`` (``["tensor=8"]``), ``free``
    (``["sharding"]``), ``cards`` (``"64..256"``), ``accelerators``, ``objective`` (``"days"``, ``"step"``, ``"cost"``,
    ``"memory"``, ``"cards"``, ``"energy"``), ``limits`` (``["cost<2e6"]``, USD), ``pareto`` (``"memory,days"``),
    ``top``, ``threads`` (0: all cores), ``why``, ``margin`` (percent of every card to keep free), ``deadline`` (days),
    ``budget`` (USD), ``solve`` (``"cards"``, ``"tokens"``, ``"parameters"``). Ctrl+C stops it.
    """
    for name in options:
        if name not in _SEARCH_OPTIONS:
            near = _difflib.get_close_matches(name, _SEARCH_OPTIONS, 1)
            said = f"there is no option of this name; did you mean {(near or [', '.join(_SEARCH_OPTIONS)])[0]}?"
            raise Error(_json.dumps({"error": {"code": "usage", "file": "search", "where": name, "message": said}}))
    return _cardfit.search(plan, set, on, model, **options)


def sweep(plan, x, y="", best=False, figure="days", set=None, on="", model=""):
    """A figure over one or two fields: ``x="tensor=1,2,4"``; with ``best``, each cell is the best plan there."""
    return _cardfit.sweep(plan, x, y, best, figure, set, on, model)


def presets(kind=""):
    """Id, name, main figures and source of what ships and of your own presets.

    ``kind``: ``"models"``, ``"accelerators"``, ``"clusters"`` or ``"plans"`` gives a list; all kinds are a dict of lists.
    """
    found = _cardfit.presets(kind)
    return found[kind] if kind else {key: found[key] for key in ("models", "accelerators", "clusters", "plans")}


def import_launch(source, launcher="", on="", model=""):
    """The plan that a launcher's file describes, and a list of what was not mapped or had to be assumed.

    ``source``: a path, or the text itself; ``launcher``: ``"megatron"``, ``"deepspeed"``, ``"torchtitan"`` …, or what
    the text looks like. A note is a dict of ``what``, ``value``, ``why`` and ``assumed``.
    """
    name = "-"
    if isinstance(source, _os.PathLike) or ("\n" not in source and _os.path.exists(source)):
        name = _os.fspath(source)
        with open(name, encoding="utf-8") as file:
            source = file.read()
    return _cardfit.import_launch(source, name, launcher, on, model)


def export_launch(plan, launcher, set=None, on="", model=""):
    """The text of a launcher's file that starts the plan: ``"megatron"``, ``"deepspeed"``, ``"torchtitan"``, ``"vllm"``."""
    return _cardfit.export_launch(plan, launcher, set, on, model)


def schema(kind):
    """The JSON Schema of ``"plan"``, ``"model"`` …, or of an answer: ``"estimate"``, ``"search"``, ``"sweep"`` …"""
    return _cardfit.schema(kind)
