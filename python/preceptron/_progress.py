"""Progress of long work, shown with tqdm where it is there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Progress = Callable[[str, int, int, str], object]


@contextmanager
def shown(progress: bool | Progress) -> Iterator[Progress | None]:
    """What the native module is to call: nothing, somebody's function, or a bar of tqdm."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bar: Any = tqdm(total=0)

    def tell(stage: str, done: int, total: int, note: str) -> None:
        bar.set_description(stage, refresh=False)
        bar.set_postfix_str(note, refresh=False)
        bar.total, bar.n = total or None, done
        bar.refresh()

    try:
        yield tell
    finally:
        bar.close()
