#!/usr/bin/env python3
"""Runs every command that README.md and docs/*.md print, and compares what it prints where the page says.

    scripts/run-docs.py --precept target/release/precept [PAGE ...]

A block ```console holds commands, in lines that begin with `$ ` (a line that ends in \\ goes on in the next, and so
does a command in lines that begin with `> `), each followed by the output that is expected on standard output. In it
`...` stands for anything: within a line for any text, alone in a line for any number of lines. A command without a
line of output is only run. Blocks of another kind must not hold commands, so that none is left out; code in a
sentence that begins with `precept` must name a command, and flags, that there are. Links to files of the repository
must lead somewhere.

Comments above a block, which a reader of the page does not see, make long commands short:

    <!-- run: --train 200 --steps 60 -->   these flags are put in, in place of those with the same names; then
                                           the output is not compared
    <!-- run: as printed -->               nothing is changed
    <!-- run: exit 1 -->                   the command is to end with this exit code; with flags: --seed 3, exit 1;
                                           exit 0 or 1 where a small setting may not find every rule
    <!-- run: skip (reason) -->            the command is not run
    <!-- before: COMMAND -->               run first, to make a file that the page takes for granted

The first `run` comment is for the first command of the block, and so on; commands without one are run as printed.
Each page has a new directory, in which `examples` is that of the repository.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 300  # seconds for a command
README_WORDS = 900


class Command:
    def __init__(self, page, line, text):
        self.page, self.line, self.text = page, line, text
        self.expected = []
        self.directive = "as printed"

    def where(self):
        return f"{os.path.relpath(self.page, ROOT)}:{self.line}"


def parse(page):
    """The hidden commands and printed commands of a page in their order, and what is wrong with it."""
    found, problems, comments = [], [], []
    lines = page.read_text().splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        comment = re.fullmatch(r"\s*<!-- (run|before): (.*) -->\s*", line)
        if comment and comment[1] == "run":
            comments.append(comment[2].strip())
        elif comment:
            found.append(Command(page, at + 1, comment[2].strip()))
        elif line.startswith("```"):
            kind, start = line[3:].strip(), at + 1
            at = next((i for i in range(start, len(lines)) if lines[i].startswith("```")), len(lines))
            block = lines[start:at]
            if kind == "console":
                commands = console(page, start, block, problems)
                if len(comments) > len(commands):
                    problems.append(f"{page.name}:{start}: more comments than commands")
                for command, directive in zip(commands, comments):
                    command.directive = directive
                found += commands
            else:
                stray = [l for l in block if re.match(r"\s*(\$ |precept |cargo )", l)]
                problems += [f"{page.name}:{start}: a command in a block that is not run: {l}" for l in stray]
            comments = []
        elif line.strip() and comments:
            problems.append(f"{page.name}:{at + 1}: a `run` comment without a block")
            comments = []
        at += 1
    return found, problems


def console(page, start, block, problems):
    commands, goes_on = [], False
    for number, line in enumerate(block, start + 1):
        if goes_on:
            commands[-1].text += "\n" + line
            goes_on = line.endswith("\\")
        elif line.startswith("$ "):
            commands.append(Command(page, number, line[2:]))
            goes_on = line.endswith("\\")
        elif commands and line.startswith("> ") and not commands[-1].expected:
            commands[-1].text += "\n" + line[2:]
        elif commands:
            commands[-1].expected.append(line)
        else:
            problems.append(f"{page.name}:{number}: a console block begins with a command")
    for command in commands:
        while command.expected and not command.expected[-1].strip():
            command.expected.pop()
    return commands


def with_flags(text, flags):
    """The command with these flags in place of its own of the same names."""
    words, new = shlex.split(text.replace("\\\n", " ")), shlex.split(flags)
    names = {word for word in new if word.startswith("--")}
    kept, skipping = [], False
    for word in words:
        if word.startswith("-") or not skipping:
            skipping = word in names
            if not skipping:
                kept.append(word)
        else:
            skipping = False
    return shlex.join(kept + new)


def planned(command):
    """What to run, the exit codes to accept, and whether the output is that of the page; None to skip."""
    text, codes, compare = command.text, {0}, True
    for part in command.directive.split(", "):
        if part.startswith("skip ("):
            return None
        if part.startswith("exit "):
            codes = {int(word) for word in part[5:].split(" or ")}
        elif part != "as printed":
            text, compare = with_flags(text, part), False
    return text, codes, compare


def matches(expected, printed):
    """Whether lines match a pattern of lines in which `...` stands for anything."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            parts = [re.escape(" ".join(part.split())) for part in line.split("...")]
            pattern += r"\s?.*?\s?".join(parts) + r"\n"
    text = "".join(" ".join(line.split()) + "\n" for line in printed.rstrip().splitlines())
    return re.fullmatch(pattern, text) is not None


def run(command, text, directory, environment):
    """Exit code, standard output and standard error."""
    try:
        done = subprocess.run(["bash", "-c", text], cwd=directory, env=environment, capture_output=True,
                              text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return "none", "", f"not ended after {LIMIT} s"


def indented(text, most=40):
    return "".join(f"      {line}\n" for line in text.rstrip().splitlines()[:most])


def flags_of_help(environment):
    """Every flag that a help text names, and the commands that there are."""
    flags, commands = set(), set()

    def walk(words):
        text = ""
        for flag in ["--help", "--help=all"]:
            done = subprocess.run(["precept", *words, flag], env=environment, capture_output=True, text=True)
            text += done.stdout if done.returncode == 0 else ""
        flags.update(re.findall(r"--[a-z][a-z-]*", text))
        commands.add(" ".join(words))
        below = re.search(r"^Commands:\n((?:  .*\n|\n)*)", text, re.M)
        for name in re.findall(r"^  ([a-z]+)", below[1], re.M) if below and len(words) < 2 else []:
            if name != "help":
                walk([*words, name])

    walk([])
    return flags, commands


def prose(page, flags, commands):
    """What is wrong with commands in sentences, and with links."""
    text = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), page.read_text(), flags=re.S)
    name = os.path.relpath(page, ROOT)
    for code in re.findall(r"`(precept [^`]+)`", text):
        words = re.match(r"precept((?: [a-z]+)*)", code)[1].split()
        has_tasks = any(command.startswith(f"{words[0]} ") for command in commands) if words else False
        if words and " ".join(words[: 1 + has_tasks]) not in commands:
            yield f"{name}: no such command: {code}"
        for flag in re.findall(r"--[a-z][a-z-]*", code):
            if flag not in flags:
                yield f"{name}: no such flag: {flag} in {code}"
    for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text) + re.findall(r'src="([^":]+)"', text):
        if not (page.parent / link).exists():
            yield f"{name}: a link that leads nowhere: {link}"


class Said:
    """What the commands of a page came to."""

    def __init__(self):
        self.lines, self.problems = [], []
        self.passed, self.failed, self.skipped = 0, 0, 0


def run_page(page, place, environment, flags):
    """Runs the commands of a page one after the other, and adds the flags that they have."""
    said = Said()
    directory = pathlib.Path(place, page.stem)
    directory.mkdir()
    (directory / "examples").symlink_to(ROOT / "examples")
    commands, said.problems = parse(page)
    for command in commands:
        plan = planned(command)
        if plan is None:
            said.skipped += 1
            first = command.text.splitlines()[0]
            said.lines.append(f"skip  {command.where()}  {first}  {command.directive[5:]}\n")
            continue
        text, expected_codes, compare = plan
        flags.update(re.findall(r"--[a-z][a-z-]*", text))
        started = time.monotonic()
        code, out, error = run(command, text, directory, environment)
        seconds = time.monotonic() - started
        reason = None
        if code not in expected_codes:
            reason = f"exit code {code}, expected {sorted(expected_codes)}"
        elif compare and command.expected and not matches(command.expected, out):
            reason = "prints something else than the page says"
        said.passed, said.failed = said.passed + (reason is None), said.failed + (reason is not None)
        first = text.splitlines()[0]
        said.lines.append(f"{'FAIL' if reason else 'ok  '}  {command.where()}  {seconds:.1f} s  {first}\n")
        if reason:
            said.lines.append(f"    {reason}; it printed:\n{indented(out)}{indented(error)}")
    return said


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--precept", required=True, type=pathlib.Path, help="the program")
    arguments.add_argument("--jobs", type=int, default=2, help="pages at once [default: 2]")
    arguments.add_argument("pages", nargs="*", type=pathlib.Path, help="[default: README.md and docs/*.md]")
    arguments = arguments.parse_args()
    pages = [page.resolve() for page in arguments.pages]
    pages = pages or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    passed, failed, skipped, problems = 0, 0, 0, []
    with tempfile.TemporaryDirectory(prefix="run-docs-") as place:
        programs = pathlib.Path(place, "bin")
        programs.mkdir()
        (programs / "precept").symlink_to(arguments.precept.resolve(strict=True))
        environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        flags, names = flags_of_help(environment)
        # Many commands use one core for much of their time.
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for page, said in zip(pages, pool.map(lambda page: run_page(page, place, environment, flags), pages)):
                print("".join(said.lines), end="", flush=True)
                passed, failed, skipped = passed + said.passed, failed + said.failed, skipped + said.skipped
                problems += said.problems
        for page in pages:
            problems += prose(page, flags, names)
    words = len((ROOT / "README.md").read_text().split())
    if words >= README_WORDS:
        problems.append(f"README.md has {words} words, which should be under {README_WORDS}")
    for problem in problems:
        print(f"FAIL  {problem}")
    print(f"{passed} passed, {failed + len(problems)} failed, {skipped} skipped")
    return 1 if failed or problems else 0


if __name__ == "__main__":
    sys.exit(main())
