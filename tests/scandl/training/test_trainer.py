"""The loop: exact resumption, shared batches, errors that keep the last checkpoint."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError, StoppedError
from scandl.models.diffusion.diffusion_task import ScandlTask
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import Lexical
from scandl.training.checkpoint import read_checkpoint, write_checkpoint
from scandl.training.trainer import Ema, Trainer

SENTENCES = {"s1": Sentence("s1", "The cat sat on the mat."), "s2": Sentence("s2", "Dogs " * 9 + "bark.")}

CORPUS = Corpus(
    Card(name="toy"),
    SENTENCES,
    tuple(Scanpath(f"r{r}", s, tuple((r + k) % 6 for k in range(4))) for s in SENTENCES for r in range(12)),
)

CONFIG = ScandlConfig(
    model=ModelConfig(
        layers=1, heads=2, dim=16, feed_forward=32, seq_len=64, buckets=(32, 64), encoder="lexical"
    ),
    diffusion=DiffusionConfig(steps=20, history=1, bins=4),
    training=TrainingConfig(steps=12, batch=4, lr=1e-3, save_every=5, log_every=2, seed=3),
)


def task(config: ScandlConfig = CONFIG, corpus: Corpus = CORPUS) -> ScandlTask:
    return ScandlTask(config, Lexical(), corpus)


def trainer(folder: Path, config: ScandlConfig = CONFIG) -> Trainer:
    return Trainer(task(config), config.training, folder, device="cpu", quiet=True)


def same(one: dict[str, torch.Tensor], two: dict[str, torch.Tensor]) -> bool:
    return one.keys() == two.keys() and all(torch.equal(one[name], two[name]) for name in one)


def test_resumption_is_exact(tmp_path: Path) -> None:
    whole = read_checkpoint(trainer(tmp_path / "whole").run())
    for stop in (7, 10):
        trainer(tmp_path / "parts").run(stop_after=stop)
    parts = read_checkpoint(trainer(tmp_path / "parts").run())
    for name in ("weights", "ema", "task"):
        assert same(whole[name], parts[name])
    assert (whole["step"], parts["step"]) == (12, 12)
    untimed = [
        [line.rsplit(",", 3)[0] for line in (tmp_path / run / "log.csv").read_text().splitlines()]
        for run in ("whole", "parts")
    ]
    assert untimed[0] == untimed[1]


def test_equal_trainings_write_equal_bytes(tmp_path: Path) -> None:
    one, two = (trainer(tmp_path / name).run(stop_after=5) for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_damaged_or_incomplete_checkpoint_is_not_resumed(tmp_path: Path) -> None:
    last = trainer(tmp_path).run(stop_after=5)
    whole, content = last.read_bytes(), read_checkpoint(last)
    changed = bytearray(whole)
    changed[len(changed) // 2] ^= 1
    last.write_bytes(bytes(changed))
    with pytest.raises(ScandlError, match="last.pt: not a whole checkpoint of this program"):
        trainer(tmp_path)
    write_checkpoint(last, {name: value for name, value in content.items() if name != "optimizer"})
    with pytest.raises(ScandlError, match=r"last.pt: a checkpoint that lacks parts, .* \(no 'optimizer'\)"):
        trainer(tmp_path)


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
import test_trainer as t
trainer = t.trainer(t.Path(sys.argv[1]))
step = trainer._one_step
def one_step(examples):
    step(examples)
    if trainer.step == 8:
        os.kill(os.getpid(), signal.SIGKILL)
trainer._one_step = one_step
trainer.run()
"""


def test_a_killed_run_resumes_from_its_last_checkpoint(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(Path(__file__).parent)]
    )
    assert done.returncode == -signal.SIGKILL
    assert read_checkpoint(tmp_path / "killed" / "last.pt")["step"] == 5
    killed = read_checkpoint(trainer(tmp_path / "killed").run())
    whole = read_checkpoint(trainer(tmp_path / "whole").run())
    assert same(whole["weights"], killed["weights"])
    assert same(whole["ema"], killed["ema"])


def signalled(folder: Path, *numbers: signal.Signals) -> Trainer:
    """Return a trainer that gets these signals at the end of its third step."""
    run = trainer(folder)
    inner = run._one_step

    def one_step(examples: list[int]) -> None:
        inner(examples)
        if run.step == 3:
            for number in numbers:
                os.kill(os.getpid(), number)

    run._one_step = one_step  # type: ignore[method-assign]
    return run


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_saves_and_says_how_to_go_on(number: signal.Signals, tmp_path: Path) -> None:
    run, before = signalled(tmp_path, number), signal.getsignal(number)
    with pytest.raises(
        StoppedError, match="told to stop at step 3; .*last.pt is saved, the same command resumes"
    ):
        run.run()
    assert read_checkpoint(tmp_path / "last.pt")["step"] == 3
    assert signal.getsignal(number) is before
    whole = read_checkpoint(trainer(tmp_path / "whole").run())
    assert same(whole["weights"], read_checkpoint(trainer(tmp_path).run())["weights"])


@pytest.mark.usefixtures("interruptible")
def test_a_second_interrupt_acts_at_once(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        signalled(tmp_path, signal.SIGINT, signal.SIGINT).run()
    assert not (tmp_path / "last.pt").exists()


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        path = signalled(tmp_path, signal.SIGINT).run()
    finally:
        signal.signal(signal.SIGINT, before)
    assert read_checkpoint(path)["step"] == 12


def longer(steps: int, **changes: object) -> ScandlConfig:
    return replace(CONFIG, training=replace(CONFIG.training, steps=steps, **changes))  # type: ignore[arg-type]


def test_a_finished_training_goes_on_when_more_steps_are_asked_for(tmp_path: Path) -> None:
    """At a constant learning rate it ends where a training of that length ends."""
    whole = read_checkpoint(trainer(tmp_path / "whole", longer(12, lr_schedule="constant")).run())
    first = trainer(tmp_path / "parts", longer(7, lr_schedule="constant"))
    first.run()
    assert first.finished
    parts = read_checkpoint(trainer(tmp_path / "parts", longer(12, lr_schedule="constant")).run())
    assert parts["step"] == 12
    for name in ("weights", "ema", "task"):
        assert same(whole[name], parts[name])
    with pytest.raises(ScandlError, match="has done 12 steps, found training.steps=7"):
        trainer(tmp_path / "parts", longer(7, lr_schedule="constant"))


def test_a_batch_in_parts_is_the_batch(tmp_path: Path) -> None:
    whole = read_checkpoint(trainer(tmp_path / "whole", NO_DROPOUT).run())
    parted = replace(NO_DROPOUT, training=replace(NO_DROPOUT.training, accumulate=4))
    close(read_checkpoint(trainer(tmp_path / "parts", parted).run()), whole)
    with pytest.raises(ScandlError, match="a batch of 8 cannot be shared by 1 processes in 3 parts each"):
        trainer(tmp_path / "thirds", replace(NO_DROPOUT, training=replace(NO_DROPOUT.training, accumulate=3)))


@pytest.mark.parametrize("precision", ["tf32", "bf16", "fp16"])
def test_lower_precision_learns_the_same_roughly_and_resumes_exactly(precision: str, tmp_path: Path) -> None:
    config = replace(NO_DROPOUT, training=replace(NO_DROPOUT.training, precision=precision))  # type: ignore[arg-type]
    low = read_checkpoint(trainer(tmp_path / "low", config).run())
    trainer(tmp_path / "parts", config).run(stop_after=9)
    parts = read_checkpoint(trainer(tmp_path / "parts", config).run())
    assert same(low["weights"], parts["weights"])
    assert low["scaler"] == parts["scaler"]
    full = read_checkpoint(trainer(tmp_path / "full", NO_DROPOUT).run())
    gap = max(float((low["weights"][n] - w).abs().max()) for n, w in full["weights"].items())
    assert gap < (1e-6 if precision == "tf32" else 0.05)  # of 20 steps of 1e-3 each


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of torch's own compiler
def test_a_compiled_training_is_the_training(tmp_path: Path) -> None:
    """On average: Adam makes steps of gradients that are rounding noise, and another order rounds otherwise."""
    few = replace(NO_DROPOUT, training=replace(NO_DROPOUT.training, steps=4))
    config = replace(few, training=replace(few.training, compile=True))
    compiled = read_checkpoint(trainer(tmp_path / "compiled", config).run())["weights"]
    plain = read_checkpoint(trainer(tmp_path / "plain", few).run())["weights"]
    start = task(few).module.state_dict()
    for name, weight in plain.items():
        moved, apart = ((other - weight).abs().mean() for other in (start[name], compiled[name]))
        assert apart <= max(float(1e-2 * moved), 1e-7), name


def test_another_configuration_does_not_resume(tmp_path: Path) -> None:
    trainer(tmp_path).run(stop_after=2)
    other = replace(CONFIG, model=replace(CONFIG.model, dropout=0.5))
    with pytest.raises(ScandlError, match="its config differs from this run's"):
        trainer(tmp_path, other)


def test_a_loss_that_is_not_finite_stops_and_names_the_batch(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(stop_after=5)
    before = (tmp_path / "last.pt").read_bytes()
    with torch.no_grad():
        run.task.module.denoiser.head_bias.fill_(float("nan"))  # type: ignore[attr-defined]
    with pytest.raises(
        ScandlError,
        match=r"the loss at step 5 is nan: batch r\d+/s\d at t=\d+, .*; the last checkpoint stays",
    ):
        run.run()
    assert (tmp_path / "last.pt").read_bytes() == before


def printed_by_two(program: str, folder: Path) -> str:
    """Run a program in a real gloo group of two processes on the CPU, which train into ``folder/two``.

    What one of them prints at once stays together; two arguments of ``print`` do not.
    """
    script = folder / "program.py"
    script.write_text(program)
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone"]
    environment = {**os.environ, "ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(script), str(folder / "two"), str(Path(__file__).parent)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


ONE_IS_TOLD = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
import test_trainer as t
run = t.trainer(t.Path(sys.argv[1]), t.NO_DROPOUT)
step = run._one_step
def one_step(examples):
    step(examples)
    if run.step == 3 and not run.main:
        os.kill(os.getpid(), signal.SIGTERM)
run._one_step = one_step
try:
    run.run()
except t.StoppedError as error:
    print(error)
"""


def test_when_one_process_is_told_to_stop_all_do_at_the_same_step(tmp_path: Path) -> None:
    printed = printed_by_two(ONE_IS_TOLD, tmp_path)
    assert printed.count("training was told to stop at step 10; ") == 2  # they ask each other now and then
    assert read_checkpoint(tmp_path / "two" / "last.pt")["step"] == 10


TWO_MINDS = """
import sys
sys.path.insert(0, sys.argv[2])
import test_trainer as t
config = t.replace(t.NO_DROPOUT, training=t.replace(t.NO_DROPOUT.training, validate_every=1, patience=3))
from scandl.training.processes import training_processes
numbers = {0: [.50, .4999, .51, .51, .51], 1: [.50, .5001, .51, .40, .51]}
def validate(step):
    return {"validation": numbers[run.processes.rank][min(step, 5) - 1]}
run = t.Trainer(t.task(config), config.training, t.Path(sys.argv[1]), device="cpu", quiet=True, validate=validate)
run.run()
print(f"ended at {run.step} with {run.best}", flush=True)
"""


def test_processes_that_validate_differently_end_together(tmp_path: Path) -> None:
    """One would call .4999 the best and save, the other not: they would never meet again."""
    printed = printed_by_two(TWO_MINDS, tmp_path)
    assert printed.count("ended at 5 with 0.4999") == 2
    assert read_checkpoint(tmp_path / "two" / "best.pt")["step"] == 2


LISTENING = """
import atexit, sys
sys.path.insert(0, sys.argv[2])
import test_trainer as t

def threads():
    return {(one / "comm").read_text().strip() for one in t.Path("/proc/self/task").iterdir()}

before = threads()
atexit.register(lambda: print(f"left: {sorted(threads() - before)}", flush=True))  # the last to be called
run = t.trainer(t.Path(sys.argv[1]), t.NO_DROPOUT)
print(f"listen: {any('gloo' in name for name in threads())}", flush=True)
run.run()
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are listed by Linux alone")
def test_no_thread_of_the_group_is_left_when_a_process_ends(tmp_path: Path) -> None:
    """One that is left aborts the process, once in a hundred times."""
    printed = printed_by_two(LISTENING, tmp_path)
    assert printed.count("listen: True") == 2
    assert printed.count("left: []") == 2, printed


TWO_PROCESSES = """
import sys
sys.path.insert(0, sys.argv[2])
import test_trainer as t
t.trainer(t.Path(sys.argv[1]), t.NO_DROPOUT).run()
"""

NO_DROPOUT = replace(
    CONFIG, model=replace(CONFIG.model, dropout=0.0), training=replace(CONFIG.training, batch=8, steps=20)
)


def test_two_processes_with_half_a_batch_are_one_with_a_whole(tmp_path: Path) -> None:
    """A real gloo group on the CPU; the sampler's history is shared, the data are not."""
    printed_by_two(TWO_PROCESSES, tmp_path)
    two = read_checkpoint(tmp_path / "two" / "last.pt")
    one = read_checkpoint(trainer(tmp_path / "one", NO_DROPOUT).run())
    close(two, one)
    torch.testing.assert_close(two["task"]["losses"], one["task"]["losses"], rtol=1e-5, atol=1e-6)


def close(other: dict[str, Any], one: dict[str, Any]) -> None:
    """Assert that two checkpoints have the same weights to 2e-5."""
    for name, weight in one["weights"].items():
        found = other["weights"][name]
        if name.endswith("query_key_value.bias"):
            # Attention does not depend on the keys' bias: its gradient is rounding noise, which Adam blows up.
            keep = torch.ones(3, 16, dtype=torch.bool)
            keep[1] = False
            weight, found = weight[keep.flatten()], found[keep.flatten()]
        torch.testing.assert_close(found, weight, rtol=0, atol=2e-5)


def test_the_average_forgets_its_start_only_with_warm_up() -> None:
    module = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(module.weight, 0.0)
    slow, fast = (Ema(module, 0.9999, warmup=warmup) for warmup in (False, True))
    torch.nn.init.constant_(module.weight, 1.0)
    for step in range(1, 5001):
        slow.update(module, step)
        fast.update(module, step)
    assert slow.weights["weight"].item() == pytest.approx(
        1 - 0.9999**5000, abs=1e-4
    )  # 0.61 of the start is left
    assert fast.weights["weight"].item() > 0.999
