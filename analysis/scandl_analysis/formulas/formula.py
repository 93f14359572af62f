"""Wilkinson formulas with group terms, as lme4 and brms write them: ``y ~ a * b + (1 + a || reader)``.

Operators: ``+``, ``-`` (takes a term away), ``:``, ``*``, ``/``, parentheses; ``(terms | group)`` with
correlated effects, ``(terms || group)`` with uncorrelated ones; functions of columns, of which ``s(x)``
is read as ``ns(x, 3)``. The text is read by Python's own parser, after ``:`` and ``||`` have been
replaced by operators that bind as tightly as they should.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import Registry
from scandl.files.column_names import candidate_columns
from scandl.measures.measure_names import our_name
from scandl.statistics.bootstrap import Floats

Coding = Callable[[Sequence[str]], tuple[list[str], Floats]]
"""From the levels to a name for each column and the matrix (level, column)."""

CONTRASTS: Registry[Coding] = Registry("contrast")


@CONTRASTS.register("treatment")
def treatment(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Compare each level with the first.

    >>> treatment(["a", "b", "c"])[0]
    ['b', 'c']
    """
    return list(levels[1:]), np.eye(len(levels))[:, 1:]


@CONTRASTS.register("sum")
def sum_to_zero(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Compare each level but the last with the mean of all.

    >>> sum_to_zero(["a", "b"])
    (['S.a'], array([[ 1.],
           [-1.]]))
    """
    k = len(levels)
    matrix = np.eye(k)[:, : k - 1]
    matrix[-1] = -1
    return [f"S.{level}" for level in levels[:-1]], matrix


@CONTRASTS.register("sdif")
def successive_differences(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Compare each level with the one before it; the intercept is the mean of all.

    >>> successive_differences(["a", "b"])
    (['b-a'], array([[-0.5],
           [ 0.5]]))
    """
    k = len(levels)
    below, j = np.arange(k)[:, None], np.arange(1, k)[None]
    matrix = np.where(below < j, -(k - j) / k, j / k)
    return [f"{late}-{early}" for early, late in pairwise(levels)], matrix


def indicators(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Give each level a column of its own; used where no intercept stands beside them."""
    return list(levels), np.eye(len(levels))


Term = tuple[str, ...]
"""What is multiplied in one term: names of columns or functions of them; the intercept is empty."""

INTERCEPT: Term = ()
LONGEST = 5_000
"""Letters of a formula; the longest in print have a few hundred."""
MOST_TERMS = 500
"""Terms after all products are written out: ``*`` between n factors makes 2ⁿ − 1 of them."""

SMOOTH, SMOOTH_DF = "ns", 3
"""What ``s(x)`` means: a natural spline with so many columns."""


class FormulaError(ScandlError):
    """A formula that cannot be read."""


@dataclass(frozen=True, slots=True)
class GroupTerm:
    """Effects that differ between the levels of a factor, or of an interaction of several."""

    terms: tuple[Term, ...]
    factors: tuple[str, ...]
    correlated: bool = False

    @property
    def factor(self) -> str:
        """The name of the factor."""
        return ":".join(self.factors)

    def __str__(self) -> str:
        return (
            f"({_sum(self.terms)} {'|' if self.correlated or len(self.terms) == 1 else '||'} {self.factor})"
        )


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula taken apart.

    >>> print(read_formula("sr ~ length*cond + (1 + cond || reader) + (1|item)"))
    sr ~ 1 + length + cond + length:cond + (1 + cond || reader) + (1 | item)
    >>> print(read_formula("FPRT ~ poly(length, degree=2) + s(frequency)"))
    FPRT ~ 1 + poly(length, 2) + ns(frequency, 3)
    """

    response: str
    terms: tuple[Term, ...]
    groups: tuple[GroupTerm, ...] = ()

    def __str__(self) -> str:
        return " + ".join([f"{self.response} ~ {_sum(self.terms)}", *map(str, self.groups)])


def read_formula(text: str) -> Formula:
    """Take a formula apart; raises FormulaError, in one line, where it cannot be read.

    >>> read_formula("y ~ a + (a | g/h)").groups[1].factors
    ('g', 'h')
    """
    if len(text) > LONGEST:
        raise FormulaError(
            f"formula {text[:60]!r}…: found {len(text):,} characters, expected at most {LONGEST:,}"
        )
    left, tilde, right = text.partition("~")
    if not tilde or not left.strip() or not right.strip() or "~" in right:
        raise FormulaError(
            f"formula {text!r}: expected 'outcome ~ predictors', such as 'sr ~ length + (1 | reader)'"
        )
    reader = _Reader(text)
    try:
        response, (terms, groups) = reader.atom(left), reader.read(right)
    except (RecursionError, MemoryError):  # both are what Python's parser makes of the same
        raise FormulaError(f"formula {text[:60]!r}…: found terms or signs nested too deeply") from None
    if INTERCEPT not in terms:
        raise FormulaError(
            f"formula {text!r}: models without an intercept are not offered; leave out 0 and - 1"
        )
    return Formula(response, terms, groups)


def with_known_names(formula: Formula, columns: Iterable[str]) -> Formula:
    """Return the formula with the columns of a table for names that mean them: in any case, or by a synonym.

    >>> print(with_known_names(read_formula("fprt ~ log(Length) + (1 | subj)"), ["FPRT", "length", "reader"]))
    FPRT ~ 1 + log(length) + (1 | reader)
    """
    known = list(columns)

    def meant(match: re.Match[str]) -> str:
        name = match[0]
        if name in known:
            return name
        found = [column for column in known if column.lower() == name.lower()]
        if not found and "reader" in known and candidate_columns([name], "reader_id"):
            found = ["reader"]
        if not found:
            try:
                found = [column for column in known if column == our_name(name)]
            except ScandlError:
                found = []
        return found[0] if len(found) == 1 else name

    def renamed(atom: str) -> str:
        return re.sub(r"[^\W\d]\w*(?!\w|\()", meant, atom)

    def terms_of(terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(tuple(map(renamed, term)) for term in terms)

    groups = tuple(
        GroupTerm(terms_of(group.terms), tuple(map(renamed, group.factors)), group.correlated)
        for group in formula.groups
    )
    return Formula(renamed(formula.response), terms_of(formula.terms), groups)


class _Reader:
    """Walks over the syntax tree of one formula."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, right: str) -> tuple[tuple[Term, ...], tuple[GroupTerm, ...]]:
        """Return the terms common to all rows, the intercept among them, and the group terms."""
        groups: list[GroupTerm] = []
        terms = self._terms(self._tree(right), groups, [INTERCEPT])
        return _ordered(terms), _merged(groups)

    def atom(self, text: str) -> str:
        """Return the normal form of a column or a function of columns."""
        terms = self._terms(self._tree(text), None, [])
        if len(terms) != 1 or len(terms[0]) != 1:
            raise self._error(f"{text.strip()!r} is not one outcome")
        return terms[0][0]

    def _tree(self, text: str) -> ast.expr:
        prepared = re.sub(r"(?<!\w)\^|\*\*", " __power__ ", text)
        if "__power__" in prepared or "^" in prepared:
            raise self._error("powers are not offered; write the interactions out")
        prepared = prepared.replace("||", "^").replace(":", "**")
        try:
            tree = ast.parse(prepared.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            raise self._error("cannot be read") from None
        signs = sum(isinstance(node, ast.BinOp | ast.UnaryOp) for node in ast.walk(tree))
        if signs > MOST_TERMS:
            raise self._error(f"found {signs:,} terms and signs, expected at most {MOST_TERMS}")
        return tree

    def _terms(self, node: ast.expr, groups: list[GroupTerm] | None, start: list[Term]) -> list[Term]:
        """Return the terms of an expression; group terms, allowed in sums only, go into ``groups``."""
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, (ast.BitOr, ast.BitXor)) and groups is not None:
                groups.extend(self._group(node))
                return start
            if isinstance(node.op, ast.Add):
                left = self._terms(node.left, groups, start)
                return self._added(left, self._terms(node.right, groups, []), node.right)
            if isinstance(node.op, ast.Sub):
                left = self._terms(node.left, groups, start)
                away = [INTERCEPT] if _is(node.right, 1) else self._terms(node.right, None, [])
                return [term for term in left if set(term) not in [set(other) for other in away]]
            return start + self._product(node)
        if _is(node, 1):
            return list(dict.fromkeys([*start, INTERCEPT]))
        if _is(node, 0):
            return [term for term in start if term != INTERCEPT]
        if isinstance(node, ast.Constant):
            raise self._error(f"found {ast.unparse(node)}, expected a column (0 and 1 are the intercept)")
        return [*start, (self._name(node),)]

    def _added(self, left: list[Term], right: list[Term], node: ast.expr) -> list[Term]:
        if _is(node, 0):
            return [term for term in left if term != INTERCEPT]
        return [*left, *right]

    def _product(self, node: ast.BinOp) -> list[Term]:
        left, right = (self._terms(side, None, []) for side in (node.left, node.right))
        if len(left) * len(right) > MOST_TERMS:
            raise self._error(
                f"found more than {MOST_TERMS} terms when products are written out, expected fewer: write "
                "the interactions that you mean with ':'"
            )
        both = [tuple(dict.fromkeys(a + b)) for a in left for b in right]
        if isinstance(node.op, ast.Pow):
            return both
        if isinstance(node.op, ast.Mult):
            return [*left, *right, *both]
        if isinstance(node.op, ast.Div):
            return [*left, *both]
        raise self._error(f"{ast.unparse(node)!r} cannot be read")

    def _group(self, node: ast.BinOp) -> list[GroupTerm]:
        terms = _ordered(self._terms(node.left, None, [INTERCEPT]))
        if not terms:
            raise self._error("a group term without effects")
        factors = self._terms(node.right, None, [])
        correlated = isinstance(node.op, ast.BitOr) and len(terms) > 1
        return [GroupTerm(terms, factor, correlated) for factor in factors]

    def _name(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _known(node.keywords):
            function = SMOOTH if node.func.id == "s" else node.func.id
            arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
            if function == SMOOTH and len(arguments) == 1:
                arguments.append(ast.Constant(SMOOTH_DF))
            return f"{function}({', '.join(map(self._name, arguments))})"
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float)):
            return repr(node.value)
        shown = ast.unparse(node).replace(" ** ", ":").replace(" ^ ", " || ")
        raise self._error(f"{shown!r} cannot be read")

    def _error(self, why: str) -> FormulaError:
        shown = repr(self._text) if len(self._text) <= 200 else f"{self._text[:60]!r}…"
        return FormulaError(f"formula {shown}: {why}")


def _known(keywords: Iterable[ast.keyword]) -> bool:
    return all(keyword.arg in ("df", "degree", "k") for keyword in keywords)


def _is(node: ast.expr, number: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == number and not isinstance(node.value, bool)


def _ordered(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return each term once, main effects before interactions, as they came."""
    seen: dict[frozenset[str], Term] = {}
    for term in terms:
        seen.setdefault(frozenset(term), term)
    return tuple(sorted(seen.values(), key=len))


def _merged(groups: Iterable[GroupTerm]) -> tuple[GroupTerm, ...]:
    """Join uncorrelated terms of one factor: (1 | g) + (0 + x | g) is (1 + x || g)."""
    found: dict[tuple[str, ...], GroupTerm] = {}
    for group in groups:
        known = found.get(group.factors)
        if known is None:
            found[group.factors] = group
        elif known.correlated or group.correlated:
            raise FormulaError(f"{group.factor} has two group terms, one of them correlated: write one")
        else:
            found[group.factors] = GroupTerm(_ordered((*known.terms, *group.terms)), group.factors)
    return tuple(found.values())


def _sum(terms: Iterable[Term]) -> str:
    written = [":".join(term) or "1" for term in terms]
    return " + ".join(written if "1" in written else ["0", *written])
