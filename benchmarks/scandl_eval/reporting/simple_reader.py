"""What a table of scores shows of its models beside the reader who fixates each word once, in order."""

from __future__ import annotations

from scandl_eval.references.reference_rows import LEFT_TO_RIGHT
from scandl_eval.scoring.evaluation import Evaluation
from scandl_reports.document import Finding


def simple_reader_findings(result: Evaluation) -> list[Finding]:
    """Return the warnings of that reader; without any, what was compared with it and what was not."""
    own = [line for line in result.warnings if line.startswith(LEFT_TO_RIGHT)]
    told = [f"{line}." for line in own] or [_without_warning(result)]
    return [Finding("Left-to-right reader", text) for text in told]


def _without_warning(result: Evaluation) -> str:
    """Say that the models are better, if that was shown; no warning alone does not mean it."""
    models = {(row.model, row.setting) for row in result.rows if row.kind == "model"}
    rivals = {group for group in models if group[0] != LEFT_TO_RIGHT}
    if not rivals:
        return "The only model is that reader itself: there is nothing to compare it with."
    if not any(row.model == LEFT_TO_RIGHT and row.n for row in result.rows):
        return "Not compared: without texts there is no reader who fixates each word once."
    shown = [
        metric
        for metric in dict.fromkeys(metric for gaps in result.gaps.values() for metric in gaps)
        if all(_shown(result, group, metric) for group in rivals)
    ]
    if not shown:
        return (
            "Whether every model is nearer to the readers than one who fixates each word once, in order, is "
            "not known: there are too few readers, sentences or texts."
        )
    others = "Every other model" if len(rivals) < len(models) else "Every model"
    return (
        f"{others} is clearly nearer to the readers than one who fixates each word once, in order "
        f"({', '.join(shown)})."
    )


def _shown(result: Evaluation, group: tuple[str, str], metric: str) -> bool:
    gap = result.gaps.get(group, {}).get(metric)
    return gap is not None and gap.separable
