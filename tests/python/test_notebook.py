# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cells of the notebook that ships as an example, as a notebook does: in order, in one namespace."""
import json
import os
import pathlib
import unittest

FILE = pathlib.Path(os.environ["CARDFIT_SOURCES"], "app/python/example.ipynb")


class Notebook(unittest.TestCase):
    def test_every_cell_runs(self):
        cells = json.loads(FILE.read_text())["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        self.assertGreater(len(code), 3)
        namespace = {}
        for cell in code:
            with self.subTest(cell):
                exec(compile(cell, str(FILE), "exec"), namespace)  # noqa: S102
        self.assertTrue(namespace["estimate"]["fits"])


if __name__ == "__main__":
    unittest.main()
