"""Rules drawn in a notebook: families with their evidence, and a grid for each whose axes make one."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._rules import RuleSet

SHOWN = 40
GRIDS = 12

STYLE = """<style>
.preceptron{--ink:#1b1b1f;--soft:#62626b;--line:#d8d8de;--mark:#e7f0ff;font:13px/1.45 system-ui,sans-serif;color:var(--ink)}
.preceptron table{border-collapse:collapse;width:100%;background:none}
.preceptron th,.preceptron td{text-align:left;vertical-align:top;padding:4px 10px 4px 0;border-bottom:1px solid var(--line)}
.preceptron tr,.preceptron th,.preceptron td{background:none;color:inherit}
.preceptron .soft,.preceptron summary{color:var(--soft)}
.preceptron pre{font:11px/1.15 ui-monospace,monospace;background:var(--mark);color:inherit;padding:6px 8px;margin:4px 0;
display:inline-block}
@media (prefers-color-scheme:dark){.preceptron{--ink:#e8e8ec;--soft:#a0a0aa;--line:#3a3a42;--mark:#22304a}}
</style>"""


def rules_html(rules: RuleSet) -> str:
    """A table of families; everything that stands in names is escaped."""
    count = len(rules) + len(rules.relative)
    lines = [
        f'{STYLE}<div class="preceptron"><p><b>{count} rule{"" if count == 1 else "s"}</b> of rank {rules.rank} over '
        f"{len(rules.names)} variables</p><table><tr><th>rule</th><th>evidence</th></tr>"
    ]
    for at, family in enumerate(rules.families[:SHOWN]):
        missing = f"<br><span class=soft>not at: {escape(', '.join(family.missing[:6]))}" if family.missing else ""
        missing += (" …" if len(family.missing) > 6 else "") + "</span>" if family.missing else ""
        many = f" <span class=soft>({len(family.members)} of {family.expected})</span>" if family.expected > 1 else ""
        drawing = rules._native.drawing(rules._rules.index(family.members[0])) if at < GRIDS and family.members else None
        grid = f"<details><summary>drawn</summary><pre>{escape(drawing)}</pre></details>" if drawing else ""
        evidence = family.evidence
        if family.members and family.members[0].origin != "learned":
            evidence = "given" if family.members[0].origin == "given" else "from the encoding of the columns"
        lines.append(f"<tr><td>{escape(family.text)}{many}{missing}{grid}</td><td class=soft>{escape(evidence)}</td></tr>")
    more = len(rules.families) - SHOWN
    lines.append("</table>" + (f"<p class=soft>and {more} more</p>" if more > 0 else ""))
    for sentence in getattr(rules, "sentences", ()):
        lines.append(f"<p class=soft>{escape(sentence)}</p>")
    return "".join(lines) + "</div>"
