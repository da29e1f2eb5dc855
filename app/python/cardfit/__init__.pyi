# SPDX-License-Identifier: GPL-3.0-or-later
from os import PathLike
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

AnyPlan = Union[Dict[str, Any], str, PathLike[str]]
Settings = Optional[Mapping[str, Any]]

__version__: str

class Error(ValueError):
    code: str
    file: str
    where: str
    message: str

class Warning(UserWarning): ...

class Estimate(Dict[str, Any]):
    @property
    def worst(self) -> Optional[Dict[str, Any]]: ...
    def _repr_svg_(self) -> str: ...

def estimate(
    plan: AnyPlan, set: Settings = None, on: str = "", model: str = "", fields: Sequence[str] = ()
) -> Estimate: ...
def plan(plan: AnyPlan, set: Settings = None, on: str = "", model: str = "") -> Dict[str, Any]: ...
def check(plan: AnyPlan, set: Settings = None, on: str = "", model: str = "") -> Dict[str, Any]: ...
def advise(plan: AnyPlan, set: Settings = None, on: str = "", model: str = "") -> Dict[str, Any]: ...
def compare(before: AnyPlan, after: AnyPlan) -> Dict[str, Any]: ...
def explain(plan: AnyPlan, figure: str, set: Settings = None, on: str = "", model: str = "") -> Dict[str, Any]: ...
def search(
    plan: AnyPlan,
    set: Settings = None,
    on: str = "",
    model: str = "",
    *,
    values: Sequence[str] = (),
    pins: Sequence[str] = (),
    free: Sequence[str] = (),
    cards: str = "",
    accelerators: Sequence[str] = (),
    objective: str = "days",
    limits: Sequence[str] = (),
    pareto: str = "memory,days",
    top: int = 5,
    threads: int = 0,
    why: bool = False,
    margin: Optional[float] = None,
    deadline: Optional[float] = None,
    budget: Optional[float] = None,
    solve: str = "",
) -> Dict[str, Any]: ...
def sweep(
    plan: AnyPlan,
    x: str,
    y: str = "",
    best: bool = False,
    figure: str = "days",
    set: Settings = None,
    on: str = "",
    model: str = "",
) -> Dict[str, Any]: ...
def presets(kind: str = "") -> Any: ...
def import_launch(
    source: Union[str, PathLike[str]], launcher: str = "", on: str = "", model: str = ""
) -> Tuple[Dict[str, Any], List[Dict[str, Any]]]: ...
def export_launch(plan: AnyPlan, launcher: str, set: Settings = None, on: str = "", model: str = "") -> str: ...
def schema(kind: str) -> Dict[str, Any]: ...
