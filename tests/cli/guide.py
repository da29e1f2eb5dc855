#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every command of the guide, in the order of its pages, and compares what it prints with what the page shows.

guide.py PROGRAM FOLDER SOURCES: PROGRAM stands for `cardfit` in the commands, FOLDER is made anew and worked in. A block
```sh holds commands; a block ```text after it, or what stands between <!-- output --> and <!-- end of output -->, is what
they print. `# exit code 1` behind a command is how it ends; 0 where nothing is said. The Chinese pages hold the same
blocks. With CARDFIT_ACCEPT=1 in the environment the pages get what the commands print now: read the difference before
committing it. The commands of README.md's table are run as well, and have to end with 0 or 1.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(
    r"^```sh\n(?P<commands>.*?)^```\n"
    r"(?:\n(?:```text\n(?P<text>.*?)```|<!-- output -->\n(?P<table>.*?)<!-- end of output -->)\n)?",
    re.M | re.S,
)
EXIT_CODE = re.compile(r"\s+# exit code (\d+)$")


def run(commands, folder, environment):
    """What the commands print; an error names the first that ends otherwise than the page says."""
    printed = ""
    for line in commands.splitlines():
        expected = int(found.group(1)) if (found := EXIT_CODE.search(line)) else 0
        done = subprocess.run(["bash", "-c", EXIT_CODE.sub("", line)], cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != expected:
            sys.exit(f"{line}\nended with {done.returncode}, not {expected}:\n{done.stdout}{done.stderr}")
        printed += done.stdout
    return "".join(line.rstrip() + "\n" for line in printed.splitlines())


def with_outputs(page, outputs):
    """The page with these texts after its blocks, in turn; those that show nothing stay as they are."""
    rest = iter(outputs)

    def renewed(block):
        output = next(rest)
        if block["text"] is None and block["table"] is None:
            return block.group(0)
        commands = f"```sh\n{block['commands']}```\n\n"
        if block["text"] is not None:
            return f"{commands}```text\n{output}```\n"
        return f"{commands}<!-- output -->\n{output}<!-- end of output -->\n"

    return BLOCK.sub(renewed, page)


def main():
    program, folder, sources = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    guide = sources / "resources/guide"
    accepts = os.environ.get("CARDFIT_ACCEPT") == "1"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/cardfit").symlink_to(program)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "CARDFIT_PRESETS": str(sources / "presets"),
                   "CARDFIT_VALIDATION": str(sources / "tests/validation"), "QT_QPA_PLATFORM": "offscreen"}
    failed, commands = [], 0
    for english in sorted((guide / "en").glob("*.md")):
        text = english.read_text(encoding="utf-8")
        blocks = list(BLOCK.finditer(text))
        if not blocks:
            continue
        work = folder / english.stem  # each page begins with the files that it is about
        shutil.copytree(guide / "examples", work)
        outputs = [run(block["commands"], work, environment) for block in blocks]
        commands += sum(len(block["commands"].splitlines()) for block in blocks)
        chinese = guide / "zh_CN" / english.name
        other = chinese.read_text(encoding="utf-8")
        if [block["commands"] for block in BLOCK.finditer(other)] != [block["commands"] for block in blocks]:
            failed.append(f"{chinese}: other commands than in English")
            continue
        for page, now in ((english, text), (chinese, other)):
            renewed = with_outputs(now, outputs)
            if renewed == now:
                continue
            if accepts:
                page.write_text(renewed, encoding="utf-8")
                continue
            shown = [block["text"] or block["table"] or "" for block in BLOCK.finditer(now)]
            for block, old, new in zip(blocks, shown, outputs):
                if old and old != new:
                    failed.append(f"{page}: {block['commands']}now prints\n{new}instead of\n{old}")
            if not failed:
                failed.append(f"{page}: a command shows nothing")
    rows = re.findall(r"\| `(cardfit [^`]+)` \|$", (sources / "README.md").read_text(encoding="utf-8"), re.M)
    for line in rows:
        done = subprocess.run(["bash", "-c", line], cwd=guide / "examples", env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode not in (0, 1) or not done.stdout:
            failed.append(f"README.md: {line}\nended with {done.returncode}:\n{done.stderr}")
    if commands < 20 or len(rows) < 10:
        failed.append("the guide has lost its commands")
    if failed:
        failed.append("CARDFIT_ACCEPT=1 writes what is printed now into the pages.")
    sys.exit("\n".join(failed) or None)


if __name__ == "__main__":
    main()
