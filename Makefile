# `make verify` and `make test` work on a fresh machine: Python 3.11 or later, git and make.
.DEFAULT_GOAL := help
.PHONY: help verify test test-full test-long tests tests-full tests-long lint rocq site reference tutorial sample-report gpu-evidence clean

VENV := .venv
BIN := $(VENV)/bin
PATHS := proofs

help:  ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | expand -t 20

verify: $(VENV)/.installed  ## prove every theorem under proofs/ and write reports/latest/
	@echo "symcute verify $(PATHS)"
	@$(BIN)/symcute verify $(PATHS)

# Tests start many processes: what Python compiles is kept, whatever the environment says.
tests tests-full tests-long: export PYTHONDONTWRITEBYTECODE =

# Of two CPUs mypy takes one: the tests begin beside it. It has nothing to say but faults.
test: $(VENV)/.installed-test  ## run ruff, mypy and pytest: 6 to 18 minutes on two cores
test-full: $(VENV)/.installed-test  ## run every test, and ask the oracles again; needs g++ and Chromium
test-long: $(VENV)/.installed-test  ## as test-full, and all that it draws a part of: some hours
test test-full test-long:
	@$(MAKE) --no-print-directory -j2 lint $(@:test%=tests%)

tests: WHAT = the tests and the examples in the docstrings
tests-full: WHAT = every test, and the oracles asked again
tests-long: WHAT = every test, at length, and the oracles asked again
tests tests-full tests-long: $(VENV)/.installed-test
	@echo "pytest: $(WHAT)"
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile $(patsubst tests-%,--%,$(filter-out tests,$@))

lint: $(VENV)/.installed-test  ## run ruff and mypy
	@echo "ruff: rules and format"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@echo "mypy: types"
	@$(BIN)/mypy --no-error-summary

rocq:  ## compile the theorems about the checker with Rocq (coqc): half a minute
	@echo "coqc: proofs/rocq"
	@cd proofs/rocq && for file in $$(grep '\.v$$' _CoqProject); do coqc -q -R . Symcute $$file || exit 1; done

site: $(VENV)/.installed-docs  ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "documentation: site/index.html"

reference: $(VENV)/.installed-docs  ## write the first lines of docstrings into docs/reference/python/
	@$(BIN)/python tools/pages.py

tutorial: $(VENV)/.installed-test  ## execute the notebook that is kept in docs/ again
	@$(BIN)/python -m tools.tutorial

sample-report: $(VENV)/.installed  ## rewrite the report that is kept in reports/sample/
	@$(BIN)/symcute verify proofs/notes --no-cache --out reports/sample

gpu-evidence: $(VENV)/.installed  ## run the theorems and the kernels on the GPU here, evidence to reports/gpu/
	@$(BIN)/symcute gpu $(PATHS) gpu --backend cuda --out reports/gpu
	@$(BIN)/python -m gpu
	@$(BIN)/python -m gpu.guard
	@$(BIN)/python -m gpu.values
	@$(BIN)/python -m gpu.memory

clean:  ## remove the virtual environment, caches, site/ and reports/latest/
	@rm -rf $(VENV) build dist ./*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis \
		.symcute reports/latest site
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "removed the virtual environment, the caches, site/ and reports/latest/"

# The stamps say that what pyproject.toml asks for is installed; a run without changes calls no pip.
$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "installing symcute into $(VENV) (once; about a minute)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	@touch $@

$(VENV)/.installed-docs: pyproject.toml | $(VENV)/bin/python
	@echo "installing symcute and what its documentation needs into $(VENV) (once; about a minute)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	@echo "installing symcute and what its tests need into $(VENV) (once; some minutes)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/bin/python:
	@sh tools/venv.sh $(VENV)
