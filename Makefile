# One command each: run, test, bench. All set up what they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: setup run test lint types bench lock docs clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $(STAMP)

run: setup
	$(BIN)/streamlit run app.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

test: setup lint types
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest tests/browser
	$(BIN)/python -m pytest --ignore tests/browser --numprocesses 2 --dist loadfile

bench: setup
	$(BIN)/python -m tests.bench

# The newest versions that pyproject.toml allows, tried in an environment of their own.
lock:
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check ".[test]"
	build/lock/bin/python -m pip freeze --exclude treeline > requirements.lock

docs: setup
	$(BIN)/python -m treeline.toolkit.documentation
	$(BIN)/python -m treeline.core.runs.result

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache
