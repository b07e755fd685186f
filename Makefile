# Every target sets up what it needs in .venv first; after the first time that takes no time.
# Windows has no make: docs/guide/install.md and CONTRIBUTING.md have the commands that do the same.

# Bytecode is kept: without it each worker and each program that a test starts compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON := .venv/bin/python
PYTEST := $(PYTHON) -m pytest -n auto --maxprocesses=4 --dist worksteal
FILE ?=
SAMPLE ?= encounters/cold-ford-bridge.toml

.DEFAULT_GOAL := help
.PHONY: help setup run test check rules english bench soak screenshots documents clean tools package package-test package-time clone-test wheel-test release

help:
	@echo 'make setup        the environment, and what Qt needs from the system'
	@echo 'make run          the window; FILE=encounter.toml opens one'
	@echo 'make test         everything checked and tested'
	@echo 'make check        only ruff, mypy and the import contracts'
	@echo 'make rules        which rules of the ledgers the tests show; build/rules.json'
	@echo 'make english      counts of odd English in all texts, by place'
	@echo 'make bench        the benchmarks'
	@echo 'make soak         the tests that take long'
	@echo 'make package      what is installed without Python, for this platform; in dist/'
	@echo 'make package-test the same on Linux as root, installed and used in bare Debian roots'
	@echo 'make package-time its size and start beside those of a bare window'
	@echo 'make clone-test   make run and make test in a clone on a bare Debian'
	@echo 'make wheel-test   the wheel in a bare environment: the window, every verb, every sample'
	@echo 'make release      all files of a release in dist/, tried, with check sums; VERSION=1.2.0 for another version'
	@echo 'make screenshots  the pictures in docs/pictures'
	@echo 'make documents    the tables of docs/scripts.md and docs/statements.md'

setup:
	@sh packaging/setup.sh --display
	@sh packaging/git-hooks/install.sh

tools:
	@sh packaging/setup.sh

# Without a display the set-up would be in vain, so that is looked at first.
run:
	@sh packaging/display.sh
	@sh packaging/setup.sh --display
	@$(PYTHON) -m turnwright $(if $(FILE),"$(FILE)")

check: tools
	@sh packaging/check.sh

test: tools
	@sh packaging/beside.sh $(PYTEST) -q

rules: tools
	@$(PYTEST) -q -m 'rule and not soak' --rules --rules-json=build/rules.json tests

english: tools
	@$(PYTHON) -m tests.plain_english

soak: tools
	@HYPOTHESIS_PROFILE=explore $(PYTHON) -m pytest -m 'soak or hypothesis'

bench: tools
	@for script in benchmarks/bench_*.py; do $(PYTHON) "$$script" || exit 1; done

screenshots: tools
	@mkdir -p docs/pictures
	@for arrangement in prepare run; do for theme in light dark; do for size in 1280x800 1920x1080; do \
		QT_QPA_PLATFORM=offscreen $(PYTHON) -m turnwright screenshot "$(SAMPLE)" \
			-o docs/pictures/$$arrangement-$$theme-$$size.png \
			--arrangement $$arrangement --theme $$theme --size $$size \
			$$([ $$arrangement = run ] && echo --script docs/pictures/third-round.txt --seed 7) || exit 1; \
	done; done; done
	@for game in dnd5e:unquenched-works pf2e:last-light action_points:bell-barge; do for theme in light dark; do \
		QT_QPA_PLATFORM=offscreen $(PYTHON) -m turnwright screenshot encounters/$${game#*:}.toml \
			-o docs/pictures/run-$${game%:*}-$$theme-1280x800.png --arrangement run --theme $$theme --size 1280x800 \
			--script docs/pictures/$${game%:*}.txt --seed 7 || exit 1; \
	done; done
	@$(PYTHON) packaging/pictures.py docs/pictures

package: tools
	@$(PYTHON) packaging/package.py

wheel-test: tools
	@$(PYTHON) packaging/wheel_test.py

release: tools
	@$(PYTHON) packaging/release.py $(if $(VERSION),--version "$(VERSION)")

package-test: tools
	@sh packaging/proof/package_test.sh

package-time: tools
	@$(PYTHON) packaging/start_times.py

clone-test: tools
	@sh packaging/proof/clone_test.sh

documents: tools
	@for script in packaging/document_*.py; do $(PYTHON) "$$script" || exit 1; done

clean:
	@rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
