# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands print is what `cardfit schema` says of it: every key that is printed is in the schema, every key that the
schema requires is printed, and the values have its types."""
import json
import os
import subprocess
import sys

program, work, sources = sys.argv[1:4]
os.makedirs(work, exist_ok=True)
os.chdir(work)


def cardfit(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True).stdout


TYPES = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}


def differences(value, schema, where, seen):
    """Sentences about what is not as the schema says; `seen` collects the places of its keys that occur."""
    types = schema.get("type", [])
    types = types if isinstance(types, list) else [types]
    if types and not any(TYPES[one](value) for one in types):
        yield f"{where}: expected {types}, found {value!r:.60}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{where}: expected {schema['const']!r}, found {value!r:.60}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r:.60} is none of the words"
    if isinstance(value, dict):
        properties = schema.get("properties")
        others = schema.get("additionalProperties")
        for key in schema.get("required", []):
            if key not in value:
                yield f"{where}/{key}: missing"
        for key, inner in value.items():
            if properties and key in properties:
                seen.add(f"{id(properties)}/{key}")
                yield from differences(inner, properties[key], f"{where}/{key}", seen)
            elif isinstance(others, dict):
                yield from differences(inner, others, f"{where}/{key}", seen)
            elif properties:
                yield f"{where}/{key}: not in the schema"
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from differences(item, schema["items"], f"{where}/{index}", seen)


def keys_of(schema, where=""):
    """Every key of a schema, with its place."""
    for key, inner in schema.get("properties", {}).items():
        yield f"{id(schema['properties'])}/{key}", f"{where}/{key}"
        yield from keys_of(inner, f"{where}/{key}")
    for below in ("items", "additionalProperties"):
        if isinstance(schema.get(below), dict):
            yield from keys_of(schema[below], f"{where}/*")


def plan(name):
    return os.path.join(sources, "tests/data/plans", name)


with open("over.sh", "w") as file:
    file.write(
        cardfit("export", "llama-3-70b-64-h100", "--set", "/workload/micro_batch_size=4", "--launch", "megatron"))

PLANS = [preset["id"] for preset in json.loads(cardfit("presets", "plans", "--json"))["plans"]]
OUTPUTS = {
    "estimate": [("estimate", name, "--json") for name in [*PLANS, plan("breaks-pipeline.json"), plan("contract.json")]]
    + [("estimate", PLANS[0], "--json", "--write-gbps", "10")],
    "check": [("check", name, "--json") for name in [*PLANS, plan("breaks-pipeline.json")]]
    + [("check", "over.sh", "--on", "dgx-h100", "--into", "over.sh", "--json")],
    "search": [
        ("search", "llama-3-8b-8-h100", "--json", "--why", "--top", "2", "--limit", "days<300", "--write-gbps", "10"),
        ("search", "llama-3-70b-serving-dgx-h100", "--json"),
        ("search", "llama-3-70b-serving-dgx-h100", "--json", "--set", "/workload/limits/tpot_ms=1"),
        ("search", "llama-3-8b-8-h100", "--solve", "cards", "--deadline", "30", "--set", "/workload/tokens=2e11", "--pin",
         "schedule", "--pin", "recompute", "--pin", "virtual_pipeline", "--json"),
        ("search", "mixtral-8x7b-64-h100", "--why", "--json", "--pin", "recompute", "--pin", "micro_batch_size",
            "--pin", "schedule", "--pin", "dispatcher", "--pin", "expert_overlap"),
        ("search", "llama-13b-4-cards", "--why", "--pin", "recompute", "--pin", "micro_batch_size", "--json"),
        ("search", "llama-3.1-405b-1024-h100", "--cards", "8", "--set", "/parallelism/data=none", "--pin", "schedule",
         "--pin", "recompute", "--json"),
    ],
    "sweep": [
        ("sweep", "llama-3-8b-8-h100", "--x", "tensor=1,2,3", "--json"),
        ("sweep", "llama-3-8b-8-h100", "--x", "tensor=1,2", "--y", "micro_batch_size=1,2,64", "--json"),
    ],
    "compare": [("compare", PLANS[0], name, "--json") for name in [*PLANS[:6], plan("breaks-pipeline.json")]],
    "presets": [("presets", "--json"), ("presets", "models", "--json")],
}

# Keys that need what these commands do not have: a search that finds nothing within its limits …
RARE = {"/top/*/copies", "/nearest/copies", "/pareto/plans/*/copies", "/nearest/goodput", "/why/*/limited", "/why/*/limited/figure", "/pareto/plans/*/sequences",
        "/pareto/plans/*/goodput"}

failed = False
for kind, commands in OUTPUTS.items():
    schema = json.loads(cardfit("schema", kind))
    assert schema["$schema"].startswith("https://json-schema.org/"), kind
    seen = set()
    for command in commands:
        answer = json.loads(cardfit(*command))
        for difference in differences(answer, schema, "", seen):
            print(f"{' '.join(command)}: {difference}")
            failed = True
    # A key that never occurs may be misspelt. Keys of plans are those of their own schema.
    for key, where in keys_of(schema):
        if key not in seen and where not in RARE:
            print(f"{kind}: no command prints {where}")
            failed = True

# Plan files: what is written is what the schema of plans says, too.
schema = json.loads(cardfit("schema", "plan"))
for name in PLANS:
    for difference in differences(json.loads(cardfit("plan", name)), schema, "", set()):
        if "not in the schema" not in difference:  # curves are their own
            print(f"plan {name}: {difference}")
            failed = True
sys.exit(failed)
