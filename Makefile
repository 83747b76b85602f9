# One command each: run, test, soak, bench. All set up what they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: setup run test test-pages test-rest soak lint types collect bench lock docs clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	$(BIN)/python -m compileall -q app.py core knowledge pages toolkit
	touch $(STAMP)

run: setup
	$(BIN)/treeline serve

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python -m treeline.toolkit.documentation --check

types: setup
	$(BIN)/mypy

# Pytest rewrites what a test asserts, which takes half of the time of a collection: once here, beside the type
# checker, and kept for all workers, also where the environment has Python write nothing.
collect: setup
	mkdir -p build
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -q > build/collected.txt || (cat build/collected.txt; false)

# Browsers wait for servers, servers for browsers: beside them, three workers keep two cores busy with the rest.
WORKERS ?= 3

# The tests start many processes, which need not compile what was edited since the installation.
# A worker that is done takes tests over from the others, but for the browser's, which share servers by file.
test: setup
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m compileall -q app.py core knowledge pages toolkit
	$(MAKE) --jobs 2 --output-sync types lint collect
	$(MAKE) --jobs 2 test-pages test-rest

test-pages: setup
	$(BIN)/python -m pytest tests/browser --numprocesses 2 --dist loadfile --no-loadscope-reorder

test-rest: setup
	$(BIN)/python -m pytest --ignore tests/browser --numprocesses $(WORKERS) --dist worksteal

# What takes longer than a test may: hours in all, so that parts can be run alone, as `make soak PARTS=oracles` does.
soak: setup
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.soak $(PARTS)

bench: setup
	$(BIN)/python -m tests.bench

# The newest versions that pyproject.toml allows, with markers where Pythons or systems need different ones.
lock:
	test -x build/lock/bin/uv || ($(PYTHON) -m venv build/lock && build/lock/bin/python -m pip install --quiet uv)
	build/lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --extra test \
		--no-annotate --no-header --output-file requirements.lock pyproject.toml

docs: setup
	$(BIN)/python -m treeline.toolkit.documentation
	$(BIN)/python -m treeline.core.runs.result

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache
