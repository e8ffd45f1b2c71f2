# `make demo` and `make test` need Python 3.11, 3.12 or 3.13 and nothing else: they make .venv and fill it themselves.
#
#   PYTHON=python3.12   which interpreter .venv is made with
#   PYTEST_ARGS=...     extra arguments for pytest, such as "-k kalah" or "--numprocesses 0", which is one process
#   PAIRS=1000          pairs of games a row of the demo's table
#   BENCH_ARGS=...      arguments for the script that `make bench` or another of its kind runs, such as "--quick"

PYTHON ?= python3
PYTEST_ARGS ?=
BENCH_ARGS ?=
PAIRS ?= 300

VENV := .venv
BIN := $(VENV)/bin
RUN := runs/kalah-demo
WORKERS := --numprocesses auto --maxprocesses 4
OPPONENTS := uniform greedy $(foreach depth,1 2 4 6 8,minimax:depth=$(depth))

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-all check bench bench-search bench-solver bench-torch clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r name what; do \
	    printf '%-17s %s\n' "$$name" "$$what"; done

demo: $(VENV)/.installed-train ## train an agent on Kalah by self-play and measure it against minimax (about ten minutes)
	@echo "Training configs/ppo/kalah-demo.yaml into $(RUN) (about four minutes on two cores)."
	@$(BIN)/mancala-rl train configs/ppo/kalah-demo.yaml --out $(RUN) --overwrite
	@echo "Measuring the agent: $(PAIRS) pairs of games against each opponent (about a minute)."
	@$(BIN)/mancala-rl evaluate $(RUN)/agent --variant kalah $(addprefix --against ,$(OPPONENTS)) --pairs $(PAIRS)
	@echo
	@echo "The agent:       $(RUN)/agent (model.safetensors, config.json, model card)"
	@echo "Learning curves: $(BIN)/tensorboard --logdir $(RUN)"

test: $(VENV)/.installed-all ## run the tests
	@$(BIN)/python -m pytest $(WORKERS) $(PYTEST_ARGS)

test-all: $(VENV)/.installed-all ## run the tests, the slow ones included
	@$(BIN)/python -m pytest -m "slow or not slow" $(WORKERS) $(PYTEST_ARGS)

check: $(VENV)/.installed-all ## lint, formatting, types and layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(VENV)/.installed-bench ## measure the environments beside OpenSpiel, PettingZoo and Pgx (about four minutes)
	@mkdir -p runs
	@$(BIN)/python experiments/bench_env.py --json runs/bench.json --plot runs/bench.svg $(BENCH_ARGS)

bench-search: ## measure the search
bench-solver: ## measure the solver
bench-torch: ## measure batched environments with PyTorch tensors
bench-search bench-solver bench-torch: bench-%: $(VENV)/.installed-bench
	@$(BIN)/python experiments/bench_$*.py $(BENCH_ARGS)

clean: ## remove .venv, caches and builds; runs/ stays
	@rm -rf $(VENV) build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find agents configs experiments mancala_rl tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written only after its installation has succeeded, and all are withdrawn while one is under way. Without a
# stamp, .venv is made from scratch: an interrupted installation is never built upon.

$(VENV)/.installed-train: pyproject.toml constraints.txt
	$(call install,train,$@)

$(VENV)/.installed-all: pyproject.toml constraints.txt
	$(call install,train$(comma)test$(comma)dev,$(VENV)/.installed-train $@)

$(VENV)/.installed-bench: pyproject.toml constraints.txt
	$(call install,train$(comma)test$(comma)dev$(comma)bench,$(VENV)/.installed-train $(VENV)/.installed-all $@)

comma := ,

# $(call install,EXTRAS,STAMPS)
define install
	@$(find-python); \
	if [ ! -e $(VENV)/.installed-train ]; then \
	    echo "Making $(VENV) with $$("$$python" -V)."; \
	    "$$python" -m venv --clear $(VENV); \
	fi; \
	rm -f $(VENV)/.installed-*; \
	echo "Installing mancala-rl[$(1)] into $(VENV) (PyTorch is large: one to five minutes)."; \
	$(BIN)/python -m pip install -qq --constraint constraints.txt --editable ".[$(1)]"; \
	touch $(2)
endef

# PYTHON as the caller gave it; without that, python3 and then the versions by name.
PYTHONS = $(PYTHON) $(if $(filter file,$(origin PYTHON)),python3.13 python3.12 python3.11)

define find-python
set -e; python=; for candidate in $(PYTHONS); do \
	    if "$$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then \
	        python=$$candidate; break; \
	    fi; \
	done; \
	if [ -z "$$python" ]; then \
	    echo "mancala-rl needs Python 3.11, 3.12 or 3.13; found: $$($(PYTHON) -V 2>&1 || true)." >&2; \
	    echo "Install one of them, or name it: make PYTHON=/path/to/python3.12" >&2; \
	    exit 1; \
	fi
endef
