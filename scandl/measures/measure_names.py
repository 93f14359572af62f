"""What other tools call the measures: one concept, many names, as data."""

from __future__ import annotations

from dataclasses import dataclass, fields

from scandl.errors import ScandlError, did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names of one concept; empty = the tool has none."""

    concept: str
    ours: str
    scandl: str = ""
    scandl_file: str = ""
    pymovements: str = ""
    data_viewer: str = ""
    popeye: str = ""
    scanpath_studio: str = ""


SYNONYMS = (
    Names(
        concept="first-pass skip",
        ours="sr",
        scandl="SR",
        scandl_file="skipped",
        pymovements="1 − FPF",
        data_viewer="IA_SKIP",
        popeye="firstrun.skip",
        scanpath_studio="skip_flag",
    ),
    Names(
        concept="first-pass regression",
        ours="fpr",
        scandl="FPR",
        scandl_file="regression",
        pymovements="FPReg",
        data_viewer="IA_REGRESSION_OUT",
        popeye="firstrun.reg.out",
        scanpath_studio="regression_out_flag",
    ),
    Names(
        concept="first-pass fixation count",
        ours="ffc",
        scandl="FFC",
        scandl_file="n_firstpass_count",
        pymovements="FPFC",
        data_viewer="IA_FIRST_RUN_FIXATION_COUNT",
        popeye="firstrun.nfix",
    ),
    Names(
        concept="total fixation count",
        ours="tfc",
        scandl="TFC",
        scandl_file="n_tot_count",
        pymovements="TFC",
        data_viewer="IA_FIXATION_COUNT",
        popeye="nfix",
        scanpath_studio="n_fixations",
    ),
    Names(
        concept="first fixation duration",
        ours="FFD",
        pymovements="FFD",
        data_viewer="IA_FIRST_FIXATION_DURATION",
        popeye="firstfix.dur",
        scanpath_studio="first_fixation_ms",
    ),
    Names(
        concept="gaze duration",
        ours="FPRT",
        pymovements="FPRT",
        data_viewer="IA_FIRST_RUN_DWELL_TIME",
        popeye="firstrun.dur",
        scanpath_studio="first_pass_gaze_ms",
    ),
    Names(
        concept="go-past time",
        ours="RPD_inc",
        pymovements="RPD_inc",
        data_viewer="IA_REGRESSION_PATH_DURATION",
        popeye="firstrun.gopast",
        scanpath_studio="regression_path_ms",
    ),
    Names(
        concept="total fixation time",
        ours="TFT",
        pymovements="TFT",
        data_viewer="IA_DWELL_TIME",
        popeye="dur",
        scanpath_studio="total_fixation_ms",
    ),
    Names(concept="single fixation duration", ours="SFD", pymovements="SFD"),
    Names(concept="first duration, any pass", ours="FD", pymovements="FD"),
    Names(concept="first visit time, any pass", ours="FRT", pymovements="FRT"),
    Names(concept="go-past time on earlier words", ours="RPD_exc", pymovements="RPD_exc"),
    Names(concept="right-bounded reading time", ours="RBRT", pymovements="RBRT"),
    Names(concept="re-reading time", ours="RRT", pymovements="RRT"),
    Names(concept="fixated", ours="Fix", pymovements="Fix"),
    Names(concept="re-read", ours="RR", pymovements="RR"),
    Names(concept="regressions in", ours="TRC_in", pymovements="TRC_in"),
    Names(concept="regressions out", ours="TRC_out", pymovements="TRC_out"),
)


def our_name(name: str) -> str:
    """Return what a measure of another tool is called here.

    >>> our_name("IA_DWELL_TIME"), our_name("firstrun.skip")
    ('TFT', 'sr')
    """
    known: dict[str, str] = {}
    for row in SYNONYMS:
        for field in fields(row):
            if field.name != "concept":
                known.setdefault(getattr(row, field.name), row.ours)
    if not name or name not in known:
        raise ScandlError(f"no reading measure {name!r}{did_you_mean(name, filter(None, known))}")
    return known[name]
