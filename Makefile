# The front door of simtlab. Everything real lives behind it: CMake builds, CTest tests, `simtlab` grades.
#
#   LAB=08            one lab, by number or name (test, predict, profile, phases, run, debug)
#   HTML=1            a page with pictures of requests, too (profile)
#   BLOCK=2,1         which block's warps that page shows; block 0 if not given (profile)
#   CSV=ncu           the counters in the form of Nsight Compute's raw page, too (profile)
#   WATCH=1           test again at each save (test with one LAB), until Ctrl-C
#   INPUT=file        an input of your own (run, debug), for lab 05 a picture; docs/student.md has the format
#   SIZES=radius=5    sizes that INPUT leaves out (run, debug), with commas between
#   CASE="one tile"   which case (debug); BLOCK=1,0 and THREAD=3,2: where to stop
#   BACKEND=emulator  auto (default), cuda or emulator
#   ENGINE=sass       kernels as nvcc compiles them, instead of g++ (test, profile, grade); SASS=1: get its tools (setup)
#   SANITIZE=1        ask compute-sanitizer, too (test with BACKEND=cuda); about a minute per lab
#   RUN="srun ..."    words before every program that runs student code, for a cluster's login node
# Variables of the grader and the tests, which students do not have:
#   SUBMISSIONS=dir   the class to grade: dir/<student>/<lab>/kernel.cu
#   CLASS=whole       grade 42 students in all labs, made of the labs' kernels (grade)
#   PICTURES=1        replace the documentation's pictures (docs)
#   ALLOW_WEAK=1      grade although layers of the sandbox are missing; every report says so
#   PREFIX=dir        where to install (install); default /usr/local
#   ALL=1             the benchmarks that take many minutes, too (bench)
#   ARM64=1           cross-compile for arm64 Linux (wheel)
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup test predict profile viva phases run debug shell grade check check-full wheel bench docs format lint install deb
MAKEFLAGS += --no-print-directory

# As people type it: make test lab=08, or Lab=08. A lab without its LAB= would be a target, after all labs had been tested.
LAB ?= $(or $(lab),$(Lab),$(LABS),$(labs))
numbers := $(foreach goal,$(MAKECMDGOALS),$(if $(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$(goal)),$(goal)))
ifneq ($(numbers),)
$(error say it as: make $(or $(firstword $(filter-out $(numbers),$(MAKECMDGOALS))),test) LAB=$(firstword $(numbers)))
endif
BACKEND ?= auto
ENGINE ?= g++
WATCH ?=
HTML ?=
RUN ?=
INPUT ?=
SIZES ?=
CASE ?=
BLOCK ?=
THREAD ?=
SUBMISSIONS ?= $(if $(filter whole,$(CLASS)),build/whole-class,solutions/sample-class)

ifneq ($(RUN),)
export SIMTLAB_RUNNER_PREFIX := $(RUN)
endif
PREFIX ?= /usr/local
PICTURES ?=
SANITIZE ?=
ifneq ($(SANITIZE),)
export SIMTLAB_SANITIZE := $(SANITIZE)
endif
SASS ?=
ALL ?=
ARM64 ?=
ALLOW_WEAK ?=
ifneq ($(ALLOW_WEAK),)
export SIMTLAB_ALLOW_WEAK := 1
endif
# Our recipes start ninja and ctest, which must not take this make's flags for theirs.
clean_env := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL
# ninja's own number, two more than there are processors, takes two processors a seventh longer for batches (docs/internals/build.md).
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)
tree := build/default
house := PYTHONPATH=harness .venv/bin/python
# A students' copy holds neither the grader nor the tests; its help ends before the targets that need them.
grader := $(wildcard grading/pyproject.toml)
help_ends := $(if $(grader),,/^ifdef grader/q;)
variables_end := $(if $(grader),,/^# Variables of the grader/q;)

help:  ## this list
	@echo 'simtlab: labs, emulator and autograder for a GPU programming course'
	@echo
	@sed -nE '$(help_ends)s/^([a-z-]+):.*## (.*)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-18s %s\n", $$1, $$2}'
	@echo
	@sed -nE '$(variables_end)s/^#   ([A-Z_]+=.*)/  \1/p' Makefile

# A student's part of the set-up needs no Python package; an unknown LAB is told before anything is prepared.
# Who only uses the project has its sources compiled in batches; who changes them (setup, check-full), each alone.
configure = harness/setup/configure.sh default $(BACKEND)
student_setup = harness/setup/setup.sh student && $(configure) batches
engine_setup = $(student_setup) $(ENGINE) && harness/setup/gpu_tools.sh $(ENGINE)

test:  ## build and test your labs; LAB=08 for one, WATCH=1 at each save
	@[ -z "$(WATCH)" ] || [ $(words $(LAB)) = 1 ] || { echo 'say which lab to watch: make test LAB=08 WATCH=1' >&2; exit 2; }
	@labs=$$(harness/setup/find_lab.sh $(LAB)) && $(engine_setup) && \
	 $(clean_env) harness/setup/$(if $(WATCH),watch_lab,test_labs).sh $(tree) $$labs

predict:  ## a lab's questions with your numbers, and how many of your answers in predict.toml are right; needs LAB=08
	@[ -n "$(LAB)" ] || { echo 'say which lab to predict: make predict LAB=08' >&2; exit 2; }
	@labs=$$(harness/setup/find_lab.sh $(LAB)) && $(student_setup) && for lab in $$labs; do \
	   $(clean_env) harness/setup/predict_lab.sh $(tree) $$lab || exit; done

profile:  ## your source with what each line costs, and a picture of a warp's requests; HTML=1: as a page, CSV=ncu: as a table, too; needs LAB=08
	@[ -n "$(LAB)" ] || { echo 'say which lab to profile: make profile LAB=08' >&2; exit 2; }
	@labs=$$(harness/setup/find_lab.sh $(LAB)) && $(engine_setup) && for lab in $$labs; do \
	   $(clean_env) harness/setup/profile_lab.sh $(tree) $$lab "$(filter-out 0,$(HTML))" "$(CSV)" "$(BLOCK)" || exit; done

phases:  ## which thread of your kernel loads what in which phase of a toy, tile 2; needs LAB=07
	@[ -n "$(LAB)" ] || { echo 'say which lab: make phases LAB=07' >&2; exit 2; }
	@labs=$$(harness/setup/find_lab.sh $(LAB)) && $(student_setup) && for lab in $$labs; do \
	   $(clean_env) harness/setup/phases_lab.sh $(tree) $$lab || exit; done

run:  ## your kernel on a small input of your own, printed; needs LAB=08 INPUT=file
	@[ -n "$(LAB)" ] && [ -n "$(INPUT)" ] || { echo 'say which lab and which input: make run LAB=08 INPUT=mine.txt' >&2; exit 2; }
	@labs=$$(harness/setup/find_lab.sh $(LAB)) && $(student_setup) && for lab in $$labs; do \
	   $(clean_env) harness/setup/run_lab.sh $(tree) $$lab "$(INPUT)" --print $(if $(SIZES),--sizes "$(SIZES)") || exit; done

debug:  ## gdb in one thread of one block; needs LAB=08, takes CASE= BLOCK=1,0 THREAD=3,2
	@[ -n "$(LAB)" ] || { echo 'say which lab to debug: make debug LAB=08 BLOCK=0,0 THREAD=0,0' >&2; exit 2; }
	@labs=$$(harness/setup/find_lab.sh $(LAB)) && $(student_setup) && for lab in $$labs; do \
	   $(clean_env) CASE="$(CASE)" INPUT="$(INPUT)" SIZES="$(SIZES)" BLOCK="$(BLOCK)" THREAD="$(THREAD)" \
	     harness/setup/debug_lab.sh $(tree) $$lab || exit; done

shell:  ## a shell in which simtcc is on the PATH; exit leaves it
	@$(student_setup) && $(clean_env) harness/setup/open_shell.sh $(tree)

ifdef grader
setup:  ## prepare this machine: packages, .venv, build/default; quiet when there is nothing to do; SASS=1: NVIDIA's compiler, too
	@harness/setup/setup.sh full $(if $(SASS),,$(configure) alone)
	@$(if $(SASS),harness/setup/gpu_tools.sh install && $(configure) alone)

viva: setup  ## questions about your own kernel, as in an oral exam; needs LAB=08
	@[ -n "$(LAB)" ] || { echo 'say which lab to ask about: make viva LAB=08' >&2; exit 2; }
	@$(judges)
	@.venv/bin/simtlab viva own $(LAB)

judges = $(clean_env) harness/setup/build_target.sh $(tree) simtlab_judges "the judges do not build, see above" 'building the judges'

# ENGINE as somebody said it, else what course.toml grades with: a user's tree has the engine sass only where it is asked for.
graded_engine = $(if $(filter-out file,$(origin ENGINE)),$(ENGINE),$(shell harness/setup/gpu_tools.sh grading))

grade:  ## grade a class, SUBMISSIONS=dir; without it the bundled sample class, CLASS=whole: 42 students in all labs
	@harness/setup/setup.sh full $(configure) batches $(graded_engine) && harness/setup/gpu_tools.sh "$(graded_engine)"
	@$(judges)
ifeq ($(CLASS),whole)
	@rm -rf build/whole-class && .venv/bin/python solutions/whole_class.py build/whole-class
endif
	@.venv/bin/simtlab grade --build $(tree) --backend $(BACKEND) $(if $(graded_engine),--engine $(graded_engine)) "$(SUBMISSIONS)"

check:  ## the tests of the project; what CI runs
	@harness/setup/setup.sh check $(configure) tested
	@$(clean_env) $(house) -m check

check-full:  ## the same with clang-tidy, all sanitizers and everything marked long
	@harness/setup/setup.sh check $(configure) alone
	@$(clean_env) $(house) -m check --full

wheel: setup  ## what pip installs, for courses without a checkout, into dist/; ARM64=1: the students' file for arm64
	@$(clean_env) $(house) -m wheels $(if $(ARM64),--arm64)

bench: setup  ## run the benchmarks, print a table, write build/bench.json; ALL=1: those of many minutes, too
	@$(clean_env) $(house) -m bench $(if $(ALL),--all)

docs: setup  ## the example site and its pictures into build/docs; PICTURES=1: into docs/pictures, too
	@harness/setup/setup.sh check
	@$(judges)
	@$(clean_env) $(house) -m gallery $(if $(PICTURES),--pictures)

format: setup  ## format the C++ and Python sources in place
	@$(house) -m check --fix --only format

lint: setup  ## clang-tidy, ruff, mypy and retired names
	@$(clean_env) $(house) -m check --only format,lint,tidy
install:  ## simtcc, its headers and a CMake package into PREFIX=/usr/local
	@$(student_setup) sass && $(clean_env) cmake --build $(tree) --target simtcc_files
	@$(clean_env) cmake --install $(tree) --component simtcc --prefix "$(PREFIX)"
	@[ -n "$$DESTDIR" ] || { cd "$(PREFIX)" && printf '%s\n' '' 'simtcc is installed. Next, for programs and for CMake projects:' \
	  "  export PATH=$$PWD/bin:\$$PATH && simtcc prog.cu -o prog && ./prog" \
	  "  cmake -S . -B build-emulator -DCMAKE_TOOLCHAIN_FILE=$$PWD/lib/cmake/simtlab/simtlab-toolchain.cmake" \
	  'docs/install.md has more.'; }

deb:  ## the same as a package for Debian 12 and Ubuntu 24.04, build/default/packages/*.deb
	@command -v dpkg-shlibdeps > /dev/null || { echo 'make deb needs dpkg-shlibdeps: apt-get install dpkg-dev' >&2; exit 2; }
	@$(student_setup) sass && $(clean_env) cmake --build $(tree) --target simtcc_files
	@$(clean_env) cpack --config $(tree)/CPackConfig.cmake
else
setup viva grade check check-full wheel bench docs format lint install deb:
	@echo '"make $@" needs the grader and the tests, which are the instructors'\''; here "make test", "make profile LAB=08", "make run", "make debug" and "make shell" work' >&2
	@exit 2
endif
