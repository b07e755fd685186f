# Every target first installs its requirements in .venv. After the first time, this takes no time.
# Windows has no make: docs/guide/install.md and CONTRIBUTING.md list the equivalent commands.

# Keep bytecode. Otherwise each test worker, and each program that a test starts, compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON := .venv/bin/python
PYTEST := $(PYTHON) -m pytest -n auto --maxprocesses=4 --dist worksteal
FILE ?=
SAMPLE ?= encounters/cold-ford-bridge.toml

.DEFAULT_GOAL := help
.PHONY: help setup run test quick kernels check rules english bench soak screenshots documents clean tools package package-test package-time bare-test clone-test wheel-test release

help:
	@echo 'make setup        install the environment, the libraries that Qt needs and the commit hook'
	@echo 'make run          open the window; FILE=encounter.toml opens a file'
	@echo 'make test         run all checks and tests'
	@echo 'make quick        run the tests of the game rules, in about a minute'
	@echo 'make kernels      compile the kernels of the map and the forecast'
	@echo 'make check        run only ruff, mypy and the import contracts'
	@echo 'make rules        list the rules and the tests that cover them; writes build/rules.json'
	@echo 'make english      count phrases that are hard to read, by place'
	@echo 'make bench        run the benchmarks'
	@echo 'make soak         run the slow tests'
	@echo 'make package      build packages for this platform in dist/, which need no Python'
	@echo 'make package-test build, install and use them in minimal Debian systems (Linux, as root)'
	@echo 'make package-time compare their size and start time with an empty window'
	@echo 'make bare-test    run make quick in a clone on a minimal Debian, with its own Python'
	@echo 'make clone-test   run make run and make test in a clone, on a minimal Debian'
	@echo 'make wheel-test   install the wheel in an empty environment; try the window, every verb and every sample'
	@echo 'make release      build and test all files of a release in dist/; VERSION=1.2.0 sets the version'
	@echo 'make screenshots  update the screenshots in docs/pictures'
	@echo 'make documents    update the tables in docs/scripts.md and docs/reference/, and resources/fields.toml'

setup:
	@sh packaging/setup.sh --display
	@sh packaging/git-hooks/install.sh

tools:
	@sh packaging/setup.sh

# Without a display the set-up would be useless, so check that first.
run:
	@sh packaging/display.sh
	@sh packaging/setup.sh --display
	@$(PYTHON) -m turnwright $(if $(FILE),"$(FILE)")

check: tools
	@sh packaging/check.sh

# The kernels are compiled once, instead of by each worker.
kernels: tools
	@$(PYTHON) packaging/kernels.py

# With one heap for all threads, each worker takes less memory. Typst's own threads would only wait for each other.
test: kernels
	@MALLOC_ARENA_MAX=1 RAYON_NUM_THREADS=1 sh packaging/beside.sh $(PYTEST) -q

quick: kernels
	@$(PYTHON) -m pytest -q --quick

rules: tools
	@$(PYTEST) -q -m 'rule and not soak' --rules --rules-json=build/rules.json tests

english: tools
	@$(PYTHON) -m tests.plain_english

soak: kernels
	@HYPOTHESIS_PROFILE=explore $(PYTHON) -m pytest -m 'soak or hypothesis'

bench: kernels
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

bare-test: tools
	@sh packaging/proof/bare_test.sh

clone-test: tools
	@sh packaging/proof/clone_test.sh

documents: tools
	@for script in packaging/document_*.py; do $(PYTHON) "$$script" || exit 1; done

clean:
	@rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
