#!/usr/bin/env python3
"""Executes the notebooks of the Python package in place, and keeps their output.

    scripts/run-notebooks.py [NOTEBOOK ...]      needs nbclient, ipykernel, matplotlib, scikit-learn, torch, ortools

An error in a cell ends it with exit code 1, and leaves the file as it was.
"""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "python" / "notebooks"


def run(path):
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}, record_timing=False)
    try:
        client.execute()
    except CellExecutionError as error:
        print(f"{path.name}: {error}", file=sys.stderr)
        return False
    notebook.metadata.pop("language_info", None)
    nbformat.write(notebook, path)
    print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells run")
    return True


if __name__ == "__main__":
    paths = [pathlib.Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb"))
    sys.exit(0 if all([run(path) for path in paths]) else 1)
