"""Inner loops of the likelihoods, written so that the compiler can vectorise them.

The exponential is the textbook one (Cody & Waite, 1980): the argument is split into a whole power of
two and a rest below log(2)/2, whose Taylor polynomial of degree 13 is exact to the last bit. Library
calls inside a loop would keep it scalar and cost seven times as much.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from scandl.statistics.bootstrap import Floats

Integers = NDArray[np.int64]

_BLOCK = 512  # rows whose intermediate values stay in the first-level cache
_PRODUCT = 64  # factors in (1, 2] whose product cannot overflow
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it leaves the rounded integer in the low bits
_MOST_COUNTS = 400  # counts of Conway and Maxwell's distribution end here
_LAST_TERM = 1e-17
_TABLE_STEP = 1 / 64
# Reassociation would cancel the rounding trick; everything else may be optimised.
_SAFE = {"contract", "nnan", "ninf", "nsz", "arcp"}
_C = tuple(1.0 / math.factorial(k) for k in range(14))


@intrinsic  # type: ignore[untyped-decorator]
def _power_of_two(_context: Any, _shifted: Any) -> Any:
    """Return 2ᵏ of k + 1.5 · 2⁵²: the low bits, which are k, moved to where a float has its exponent."""

    def codegen(_: Any, builder: ir.IRBuilder, __: Any, arguments: tuple[Any, ...]) -> Any:
        integer = ir.IntType(64)
        bits = builder.shl(builder.bitcast(arguments[0], integer), integer(52))
        return builder.bitcast(builder.add(bits, integer(1023 << 52)), ir.DoubleType())

    return types.float64(types.float64), codegen


@njit(cache=True, fastmath=_SAFE)  # type: ignore[untyped-decorator]
def exp_into(x: Floats, out: Floats) -> None:
    """Write exp(x) into ``out``, another array (in place costs vectors); arguments are clipped to ±700."""
    for i in range(x.size):
        value = min(max(x[i], -700.0), 700.0)
        shifted = value * 1.4426950408889634 + _ROUND
        k = shifted - _ROUND
        r = value - k * 0.693145751953125
        r = r - k * 1.42860682030941723212e-6
        p = _C[13] * r + _C[12]
        p = (((p * r + _C[11]) * r + _C[10]) * r + _C[9]) * r + _C[8]
        p = (((p * r + _C[7]) * r + _C[6]) * r + _C[5]) * r + _C[4]
        out[i] = ((((p * r + _C[3]) * r + _C[2]) * r + 1.0) * r + 1.0) * _power_of_two(shifted)


@njit(cache=True, fastmath=True, error_model="numpy")  # type: ignore[untyped-decorator]
def softplus_sum(eta: Floats, e: Floats, weight: float) -> float:
    """Return Σ w log(1 + exp(ηᵢ)); ``e`` comes in as exp(−|η|) and leaves as w · logistic(η).

    One logarithm serves a product of many factors.
    """
    total = 0.0
    for start in range(0, eta.size, _PRODUCT):
        product = 1.0
        for i in range(start, min(start + _PRODUCT, eta.size)):
            factor = 1.0 + e[i]
            total += max(eta[i], 0.0)
            product *= factor
            e[i] = weight * (1.0 if eta[i] > 0.0 else e[i]) / factor
        total += math.log(product)
    return weight * total


@njit(cache=True, fastmath=True, error_model="numpy")  # type: ignore[untyped-decorator]
def run_pass(
    is_bernoulli: bool,
    effects: Floats,
    n_common: int,
    x: Floats,
    groups: Integers,
    columns: Integers,
    shifts: Floats,
    places: Integers,
    bounds: Integers,
    own: Integers,
    own_columns: Integers,
    own_shifts: Floats,
    weights: Floats,
    gradient: Floats,
) -> float:
    """Return Σ wᵢ log(1 + exp(ηᵢ)), or Σ wᵢ exp(ηᵢ), in one pass, and subtract its gradient.

    Columns stand in the first axis of ``x`` (c, n), the first ``n_common`` have an effect common to all
    rows; and in that of ``groups`` (q, n), whose effects begin at ``places`` and are multiplied by column
    ``columns`` of x plus ``shifts``, by 1 where that is −1. Rows stand in runs: rows ``bounds[r]`` to
    ``bounds[r + 1]`` have the weight ``weights[r]`` and share the effects ``own[r]``, intercepts where
    ``own_columns`` is −1, otherwise slopes. Those are added to the common ones once a run: a reader's
    own slopes cost no more than having none.
    """
    eta, minus, e = np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK)
    slopes, sums = np.empty(x.shape[0]), np.empty(x.shape[0])
    total = 0.0
    for run in range(weights.size):
        base = effects[0]
        for k in range(x.shape[0]):
            slopes[k] = effects[1 + k] if k < n_common else 0.0
            sums[k] = 0.0
        for m in range(own_columns.size):
            u = effects[own[run, m]]
            if own_columns[m] < 0:
                base += u
            else:
                slopes[own_columns[m]] += u
                base += own_shifts[m] * u
        over_rows = 0.0
        for start in range(bounds[run], bounds[run + 1], _BLOCK):
            end = min(start + _BLOCK, bounds[run + 1])
            n = end - start
            _predict_run(base, slopes, x, start, eta[:n])
            _add_groups(effects, x, groups, start, columns, shifts, places, eta[:n])
            if is_bernoulli:
                for i in range(n):
                    minus[i] = -abs(eta[i])
                exp_into(minus[:n], e[:n])
                total += softplus_sum(eta[:n], e[:n], weights[run])
            else:
                exp_into(eta[:n], e[:n])
                for i in range(n):
                    e[i] *= weights[run]
                    total += e[i]
            for i in range(n):
                over_rows += e[i]
            _sum_columns(e[:n], x, start, sums)
            _subtract_groups(gradient, e[:n], x, groups, start, columns, shifts, places)
        gradient[0] -= over_rows
        for k in range(n_common):
            gradient[1 + k] -= sums[k]
        for m in range(own_columns.size):
            k = own_columns[m]
            gradient[own[run, m]] -= over_rows if k < 0 else sums[k] + own_shifts[m] * over_rows
    return total


# The helpers below take whole matrices and cut the rows of a block out of one column at a time: of a slice of
# several columns the compiler does not know that neighbours are neighbours, and loads them one by one.


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _predict_run(base: float, slopes: Floats, x: Floats, start: int, eta: Floats) -> None:
    """Write the linear predictors of the rows of a block, which have ``base`` and ``slopes`` in common."""
    n = eta.size
    eta[:] = base
    for k in range(x.shape[0]):
        slope, column = slopes[k], x[k, start : start + n]
        for i in range(n):
            eta[i] += slope * column[i]


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _add_groups(
    effects: Floats,
    x: Floats,
    groups: Integers,
    start: int,
    columns: Integers,
    shifts: Floats,
    places: Integers,
    eta: Floats,
) -> None:
    """Add the effects of the groups to the linear predictors of a block."""
    n = eta.size
    for g in range(groups.shape[0]):
        own, level = effects[places[g] :], groups[g, start : start + n]
        if columns[g] < 0:
            for i in range(n):
                eta[i] += own[level[i]]
        else:
            column = x[columns[g], start : start + n]
            for i in range(n):
                eta[i] += own[level[i]] * (column[i] + shifts[g])


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _sum_columns(values: Floats, x: Floats, start: int, sums: Floats) -> None:
    """Add the sums of one value per row over each column."""
    n = values.size
    for k in range(x.shape[0]):
        column = x[k, start : start + n]
        total = 0.0
        for i in range(n):
            total += values[i] * column[i]
        sums[k] += total


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _subtract_groups(
    gradient: Floats,
    values: Floats,
    x: Floats,
    groups: Integers,
    start: int,
    columns: Integers,
    shifts: Floats,
    places: Integers,
) -> None:
    """Subtract the sums of one value per row over the levels of each group."""
    n = values.size
    for g in range(groups.shape[0]):
        own, level = gradient[places[g] :], groups[g, start : start + n]
        if columns[g] < 0:
            for i in range(n):
                own[level[i]] -= values[i]
        else:
            column = x[columns[g], start : start + n]
            for i in range(n):
                own[level[i]] -= values[i] * (column[i] + shifts[g])


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def poisson_pass(
    effects: Floats,
    x: Floats,
    groups: Integers,
    places: Integers,
    block: Integers,
    exposure: Floats,
    by_block: Floats,
    gradient: Floats,
) -> float:
    """Return Σ exposure[block] exp(ηᵢ) in one pass over the rows, and subtract its gradient.

    The sums of exp(η) over the rows of each block are left in ``by_block``.
    """
    eta, rate = np.empty(_BLOCK), np.empty(_BLOCK)
    by_block[:] = 0.0
    for start in range(0, block.size, _BLOCK):
        end = min(start + _BLOCK, block.size)
        n = end - start
        _predict(effects[0], effects, x[:, start:end], groups[:, start:end], places, eta)
        exp_into(eta[:n], rate[:n])
        for i in range(n):
            b = block[start + i]
            by_block[b] += rate[i]
            rate[i] *= exposure[b]
        _subtract(gradient, rate[:n], x[:, start:end], groups[:, start:end], places)
    total = 0.0
    for b in range(by_block.size):
        total += by_block[b] * exposure[b]
    return total


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _predict(
    base: float, effects: Floats, x: Floats, groups: Integers, places: Integers, eta: Floats
) -> None:
    """Write the linear predictors of the rows of a block, which have ``base`` in common."""
    n = x.shape[1]
    eta[:n] = base
    for k in range(x.shape[0]):
        slope = effects[1 + k]
        for i in range(n):
            eta[i] += slope * x[k, i]
    for g in range(groups.shape[0]):
        for i in range(n):
            eta[i] += effects[places[g] + groups[g, i]]


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _subtract(gradient: Floats, values: Floats, x: Floats, groups: Integers, places: Integers) -> None:
    """Subtract the sums of one value per row over all rows, over each column and over each level."""
    n = values.size
    total = 0.0
    for i in range(n):
        total += values[i]
    gradient[0] -= total
    for k in range(x.shape[0]):
        total = 0.0
        for i in range(n):
            total += values[i] * x[k, i]
        gradient[1 + k] -= total
    for g in range(groups.shape[0]):
        for i in range(n):
            gradient[places[g] + groups[g, i]] -= values[i]


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def border_pass(weights: Floats, effects: Integers, values: Floats, border: Floats) -> None:
    """Add Σ wᵢ zᵢ zᵢᵀ to the lower triangle of a matrix, zᵢ having values[i, f] at effects[i, f]."""
    for i in range(weights.size):
        for f in range(effects.shape[1]):
            scaled = weights[i] * values[i, f]
            here = effects[i, f]
            for g in range(f + 1):
                border[here, effects[i, g]] += scaled * values[i, g]


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def moments_pass(weights: Floats, bounds: Integers, values: Floats, moments: Floats) -> None:
    """Write Σ wᵢ vᵢ vᵢᵀ over the rows bounds[r] to bounds[r + 1] into moments[r], lower triangles only."""
    n_values = values.shape[1]
    total = np.empty((n_values, n_values))
    for run in range(bounds.size - 1):
        total[:] = 0.0
        for i in range(bounds[run], bounds[run + 1]):
            for f in range(n_values):
                scaled = weights[i] * values[i, f]
                for g in range(f + 1):
                    total[f, g] += scaled * values[i, g]
        moments[run] = total


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def rim_pass(
    weights: Floats,
    values: Floats,
    leaves: Integers,
    leaf_values: Floats,
    slots: Integers,
    rim: Floats,
    on_leaves: Floats,
) -> None:
    """Add the products of what row i multiplies effects of the border and leaves by.

    Row i has values[i, f] at the border's effects and leaf_values[i, l] at leaf leaves[i, l]; their products
    go to slots[i, l, f] of the rim.
    """
    for i in range(weights.size):
        for leaf in range(leaves.shape[1]):
            scaled = weights[i] * leaf_values[i, leaf]
            on_leaves[leaves[i, leaf]] += scaled * leaf_values[i, leaf]
            for f in range(values.shape[1]):
                rim[slots[i, leaf, f]] += scaled * values[i, f]


@njit(cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _powers(nu: float) -> tuple[Floats, Floats]:
    """Return jᵛ and log j! of the counts that Conway and Maxwell's distribution may have."""
    power, log_factorial = np.ones(_MOST_COUNTS + 1), np.zeros(_MOST_COUNTS + 1)
    for j in range(1, _MOST_COUNTS + 1):
        power[j] = math.exp(min(nu * math.log(j), 700.0))
        log_factorial[j] = log_factorial[j - 1] + math.log(j)
    return power, log_factorial


@njit(cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _conway_maxwell_sums(eta: Floats, nu: float) -> Floats:
    """Return log Z, mean, variance, third cumulant and E log y! of P(y) ∝ exp(ηy) / (y!)ᵛ, (5, n).

    Sums begin at the most likely count, so that nothing overflows, and end where terms no longer count.
    """
    power, log_factorial = _powers(nu)
    out = np.empty((5, eta.size))
    for i in range(eta.size):
        rate = math.exp(min(max(eta[i], -700.0), 700.0))
        mode = int(min(math.exp(min(eta[i] / nu, 20.0)), float(_MOST_COUNTS)))
        s0, s1, s2, s3, logs = 1.0, 0.0, 0.0, 0.0, log_factorial[mode]
        for way in (1, -1):
            term, j = 1.0, mode
            while term > _LAST_TERM * s0:
                if (way > 0 and j == _MOST_COUNTS) or (way < 0 and j == 0):
                    break
                term *= rate / power[j + 1] if way > 0 else power[j] / rate
                j += way
                d = float(j - mode)
                s0 += term
                s1 += term * d
                s2 += term * d * d
                s3 += term * d * d * d
                logs += term * log_factorial[j]
        m1, m2, m3 = s1 / s0, s2 / s0, s3 / s0
        out[0, i] = math.log(s0) + mode * eta[i] - nu * log_factorial[mode]
        out[1, i] = mode + m1
        out[2, i] = m2 - m1 * m1
        out[3, i] = m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1
        out[4, i] = logs / s0
    return out


@njit(cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def conway_maxwell(eta: Floats, nu: float) -> Floats:
    """Return log Z, mean, variance, third cumulant and E log y! of P(y) ∝ exp(ηy) / (y!)ᵛ, (5, n).

    Many are read off a table by cubic polynomials, as each is the derivative of the one before. So log Z
    is exact to 10⁻⁸ where means are below ten.
    """
    if eta.size < 2:
        return _conway_maxwell_sums(eta, nu)
    low, high = eta.min(), eta.max()
    n = int(min((high - low) / _TABLE_STEP, 1e9)) + 4
    if n >= eta.size:
        return _conway_maxwell_sums(eta, nu)
    known = _conway_maxwell_sums(low + _TABLE_STEP * (np.arange(n) - 1.0), nu)
    out = np.empty((5, eta.size))
    for i in range(eta.size):
        place = (eta[i] - low) / _TABLE_STEP + 1.0
        k = int(place)
        t = place - k
        bend = t * t * (3.0 - 2.0 * t)
        left, right = t * (1.0 - t) * (1.0 - t), t * t * (t - 1.0)
        for m in range(5):
            if m < 3:
                slopes = known[m + 1, k] * _TABLE_STEP, known[m + 1, k + 1] * _TABLE_STEP
            else:
                slopes = (known[m, k + 1] - known[m, k - 1]) / 2, (known[m, k + 2] - known[m, k]) / 2
            change = known[m, k + 1] - known[m, k]
            out[m, i] = known[m, k] + bend * change + left * slopes[0] + right * slopes[1]
    return out


@njit(cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def conway_maxwell_drawn(eta: Floats, nu: float, uniform: Floats) -> Floats:
    """Return one count of each, by the inverse of the distribution at uniform numbers."""
    power, _ = _powers(nu)
    log_z = _conway_maxwell_sums(eta, nu)[0]
    out = np.zeros(eta.size)
    for i in range(eta.size):
        rate, term = math.exp(eta[i]), math.exp(-log_z[i])
        left, j = uniform[i] - term, 0
        while left > 0.0 and j < _MOST_COUNTS:
            j += 1
            term *= rate / power[j]
            left -= term
        out[i] = j
    return out


@njit(cache=True)  # type: ignore[untyped-decorator]
def sum_by(index: Integers, values: Floats, out: Floats) -> None:
    """Write the sum of the values of each index into ``out``; numpy's bincount is three times slower."""
    out[:] = 0.0
    for i in range(index.size):
        out[index[i]] += values[i]


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def group_prior(
    log_sd: Floats, effects: Floats, group: Integers, by_log_sd: Floats, by_effects: Floats
) -> float:
    """Return Σ log Normal(u; 0, σ) over the group intercepts, up to a constant, and add its gradients.

    ``group`` has one entry for each of the last effects; those before are common to all rows.
    """
    first = effects.size - group.size
    precision = np.exp(-2.0 * log_sd)
    total = 0.0
    for i in range(group.size):
        u, k = effects[first + i], group[i]
        scaled = u * precision[k]
        by_effects[first + i] -= scaled
        by_log_sd[k] += u * scaled - 1.0
        total -= 0.5 * u * scaled + log_sd[k]
    return total
