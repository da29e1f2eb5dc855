# SPDX-License-Identifier: GPL-3.0-or-later
"""The module answers what the commands answer, and its errors name their places."""
import ast
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import warnings
import xml.etree.ElementTree

import cardfit

PROGRAM = os.environ["CARDFIT_PROGRAM"]
SOURCES = pathlib.Path(os.environ["CARDFIT_SOURCES"])
PLAN = "llama-3-70b-64-h100"


def command(*arguments):
    return json.loads(subprocess.run([PROGRAM, *arguments], capture_output=True, text=True).stdout)


class Plans(unittest.TestCase):
    def test_estimates_are_those_of_the_command(self):
        for preset in cardfit.presets("plans"):
            with self.subTest(preset["id"]):
                estimate = cardfit.estimate(preset["id"])
                self.assertIsInstance(estimate, dict)
                self.assertEqual(estimate, command("estimate", preset["id"], "--json"))
                self.assertEqual(list(estimate), list(command("estimate", preset["id"], "--json")))
                self.assertEqual(json.loads(json.dumps(estimate)), estimate)

    def test_a_plan_is_a_dict_an_id_or_a_path(self):
        plan = cardfit.plan(PLAN)
        self.assertEqual(plan["format"], "cardfit/plan")
        wanted = cardfit.estimate(PLAN)
        self.assertEqual(cardfit.estimate(plan), wanted)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "plan.json")
            file.write_text(json.dumps(plan))
            self.assertEqual(cardfit.estimate(file), wanted)
            self.assertEqual(cardfit.estimate(str(file)), wanted)

    def test_fields_are_set(self):
        setting = {"/parallelism/tensor": 4, "/parallelism/data": None, "/recipe/overlap/gradients": False}
        estimate = cardfit.estimate(PLAN, set=setting)
        options = ["--set", "/parallelism/tensor=4", "--set", "/parallelism/data=none",
                   "--set", "/recipe/overlap/gradients=off"]
        self.assertEqual(estimate, command("estimate", PLAN, "--json", *options))
        plan = cardfit.plan(PLAN)
        plan["parallelism"].update(tensor=4, data=None)
        plan["recipe"]["overlap"]["gradients"] = False
        self.assertEqual(cardfit.estimate(plan), estimate)
        self.assertEqual(cardfit.plan(PLAN, set={"/parallelism/layers_per_stage": (20, 20, 20, 20)})["parallelism"]
                         ["layers_per_stage"], [20, 20, 20, 20])

    def test_only_some_fields(self):
        few = cardfit.estimate(PLAN, fields=["step.seconds", "worst.device_bytes"])
        whole = cardfit.estimate(PLAN)
        self.assertEqual(few, {"step.seconds": whole["step"]["seconds"],
                               "worst.device_bytes": whole.worst["device_bytes"]})
        with self.assertRaises(cardfit.Error):
            cardfit.estimate(PLAN, fields=["step.second"])

    def test_other_cards_and_models(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            estimate = cardfit.estimate(PLAN, on="dgx-b200:4")
        self.assertIn("data parallelism 2 -> 1", str(said[0].message))
        self.assertIs(said[0].category, cardfit.Warning)
        self.assertEqual(sum(stage["cards"] for stage in estimate["stages"]), 32)
        self.assertLess(cardfit.estimate(PLAN, model="llama-3-8b")["parameters"]["total"], 9e9)

    def test_whole_numbers_of_other_libraries(self):
        class Number:
            def __index__(self):
                return 4

        self.assertEqual(cardfit.plan(PLAN, set={"/parallelism/tensor": Number()})["parallelism"]["tensor"], 4)


class Answers(unittest.TestCase):
    def test_checks(self):
        self.assertEqual(cardfit.check(PLAN), command("check", PLAN, "--json"))
        broken = cardfit.check(PLAN, set={"/parallelism/tensor": 3})
        self.assertEqual(broken["verdict"], "invalid")
        self.assertTrue(broken["checks"])
        estimate = cardfit.estimate(PLAN, set={"/parallelism/tensor": 3})
        self.assertFalse(estimate["fits"])

    def test_a_step_has_its_band(self):
        step = cardfit.estimate("llama-3-8b-8-h100")["step"]
        for seconds, edge in zip(step["band_seconds"], ("below", "above")):
            self.assertAlmostEqual(seconds, step["seconds"] * (1 + step["band"][edge]))
        self.assertIsNone(cardfit.estimate("llama-3-70b-serving-dgx-h100")["step"]["band_seconds"])

    def test_searches_and_sweeps(self):
        found = cardfit.search("llama-3-8b-8-h100", pins=["schedule", "recompute"], top=2)
        solved = cardfit.search("llama-3-8b-8-h100", {"/workload/tokens": 1e11}, pins=["schedule", "recompute"],
                                deadline=10, margin=5, solve="tokens")["solved"]
        self.assertGreater(solved["value"], 0)
        wanted = command("search", "llama-3-8b-8-h100", "--pin", "schedule", "--pin", "recompute", "--top", "2", "--json")
        del found["seconds"], wanted["seconds"]
        self.assertEqual(found, wanted)
        best = found["top"][0]
        self.assertEqual(cardfit.estimate(best["plan"])["step"]["seconds"], best["step_seconds"])
        self.assertEqual(cardfit.sweep("llama-3-8b-8-h100", x="tensor=1,2", figure="memory"),
                         command("sweep", "llama-3-8b-8-h100", "--x", "tensor=1,2", "--figure", "memory", "--json"))

    def test_search_refuses_numbers_out_of_range(self):
        for words in ({"top": 0}, {"top": 10**12}, {"threads": 10**6}):
            with self.assertRaisesRegex(cardfit.Error, "expected a whole number from"):
                cardfit.search("llama-3-8b-8-h100", **words)

    def test_other_answers(self):
        self.assertEqual(cardfit.compare("llama-13b-8-cards", PLAN), command("compare", "llama-13b-8-cards", PLAN, "--json"))
        self.assertEqual(cardfit.advise("llama-13b-8-cards"), command("advise", "llama-13b-8-cards", "--json"))
        self.assertIn("formula", json.dumps(cardfit.explain(PLAN, "stage0.activations")))
        self.assertEqual(cardfit.schema("estimate"), command("schema", "estimate"))
        self.assertEqual(cardfit.schema("plan"), command("schema", "plan"))
        self.assertEqual(cardfit.presets(), {key: value for key, value in command("presets", "--json").items()
                                             if key not in ("format", "version")})

    def test_launchers_files(self):
        text = cardfit.export_launch("llama-3-8b-8-h100", "megatron")
        plan, notes = cardfit.import_launch(text, on="dgx-h100")
        self.assertEqual(plan["model"]["num_hidden_layers"], 32)
        self.assertTrue(all(set(note) == {"what", "value", "why", "assumed"} for note in notes))
        again, notes = cardfit.import_launch(text.replace("--num-layers", "--zorp 3 --num-layers"), "megatron")
        self.assertIn("--zorp", [note["what"] for note in notes])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.sh")
            file.write_text(text)
            self.assertEqual(cardfit.import_launch(file)[0]["name"], "run")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(cardfit.estimate(file, on="dgx-h100")["step"], cardfit.estimate(plan)["step"])

    def test_a_model_alone_says_what_it_assumes(self):
        config = {"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
                  "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256}
        plan, _ = cardfit.import_launch(json.dumps(config))
        self.assertIn("a model alone is given", plan["assumed"][0])
        self.assertEqual(cardfit.estimate(config)["assumed"], plan["assumed"])


class Faults(unittest.TestCase):
    def refused(self, **where):
        def check(action):
            with self.assertRaises(cardfit.Error) as caught:
                action()
            for key, value in where.items():
                self.assertEqual(getattr(caught.exception, key), value)
            self.assertIn(caught.exception.message, str(caught.exception))
            return caught.exception

        return check

    def test_errors_name_their_places(self):
        plan = cardfit.plan(PLAN)
        plan["model"]["num_hidden_layers"] = 1.7
        error = self.refused(code="wrong-type", where="/model/num_hidden_layers")(lambda: cardfit.estimate(plan))
        self.assertIn("found 1.7", error.message)
        self.refused(code="cannot-read", file="no-such-plan")(lambda: cardfit.estimate("no-such-plan"))
        self.refused(code="usage")(lambda: cardfit.estimate(PLAN, set={"/parallelism/tensr": 4}))
        self.refused(code="usage")(lambda: cardfit.estimate(PLAN, set={"/parallelism/tensor": None}))
        self.refused(code="usage", where="--on")(lambda: cardfit.estimate(PLAN, on="dgx-h10"))
        self.refused(code="usage")(lambda: cardfit.search(PLAN, limits=["zorp<3"]))
        self.refused(code="usage", where="limit")(lambda: cardfit.search(PLAN, limit=["cost<3"]))
        with self.assertRaisesRegex(cardfit.Error, "did you mean limits"):
            cardfit.search(PLAN, limit=["cost<3"])
        self.refused(code="usage")(lambda: cardfit.schema("zorp"))

    def test_what_is_no_plan(self):
        endless = {}
        endless["model"] = endless
        self.assertRaises(ValueError, cardfit.estimate, endless)
        self.assertRaises(TypeError, cardfit.estimate, {"model": object()})
        self.assertRaises(TypeError, cardfit.estimate, {1: 2})
        self.assertRaises(TypeError, cardfit.estimate, 3)
        self.assertRaises(cardfit.Error, cardfit.estimate, {"name": "a\0b\ud800".encode("utf-8", "replace").decode()})

    def test_threads_and_interrupts(self):
        """An estimate lets other threads run, and Ctrl+C ends a search."""
        threads = [threading.Thread(target=cardfit.estimate, args=(PLAN,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            cardfit.search("llama-3.1-405b-1024-h100", free=["sharding", "offload", "layers"], cards="64..4096",
                           set={"/parallelism/data": None})
            time.sleep(60)  # in case the search was quicker than the signal
        self.assertLess(time.monotonic() - begun, 30)


class Notebooks(unittest.TestCase):
    def test_an_estimate_is_a_chart(self):
        namespace = {"svg": "http://www.w3.org/2000/svg"}
        for plan in (PLAN, "llama-13b-4-cards", "llama-3-70b-serving-dgx-h100"):
            estimate = cardfit.estimate(plan)
            root = xml.etree.ElementTree.fromstring(estimate._repr_svg_())
            titles = [title.text for title in root.iterfind(".//svg:title", namespace)]
            self.assertEqual(len(titles), 8 * len(estimate["stages"]))
            weights = estimate["stages"][0]["bytes"]["weights"]
            self.assertEqual(titles[0], f"weights {weights / 1e9:.2f} GB")
        broken = cardfit.estimate(PLAN, set={"/parallelism/tensor": 7, "/name": "<&>"})
        xml.etree.ElementTree.fromstring(broken._repr_svg_())

    def test_stubs_name_what_there_is(self):
        stub = ast.parse((SOURCES / "app/python/cardfit/__init__.pyi").read_text())
        stubs = {node.name: node for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.assertEqual(set(stubs), set(cardfit.__all__))
        for name in cardfit.__all__:
            thing = getattr(cardfit, name)
            self.assertTrue(thing.__doc__, name)
            if isinstance(stubs[name], ast.FunctionDef) and name != "search":
                arguments = [argument.arg for argument in stubs[name].args.args]
                code = thing.__code__
                self.assertEqual(arguments, list(code.co_varnames[: code.co_argcount]), name)


if __name__ == "__main__":
    unittest.main()
