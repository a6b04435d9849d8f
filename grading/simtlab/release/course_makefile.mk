# Labs of a course with simtlab @VERSION@: make setup once, then make test LAB=01.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup installed test profile
MAKEFLAGS += --no-print-directory
LAB ?= $(lab)
PYTHON ?= python3
simtlab := $(or $(wildcard .venv/bin/simtlab),$(shell command -v simtlab))
folder = $(firstword $(wildcard labs/$(LAB) labs/$(LAB)-* labs/0$(LAB)-*))

help:  ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'

setup:  ## install simtlab for students from wheels/ into .venv
	@[ -x .venv/bin/pip ] || $(PYTHON) -m venv .venv || \
	 { rm -rf .venv; echo 'there is no module venv here: sudo apt-get install -y python3-venv' >&2; exit 1; }
	@[ -n "$(wildcard wheels/simtlab_student-*.whl)" ] || \
	 { echo 'wheels/ has no simtlab_student-….whl: ask whoever gives the course for it' >&2; exit 1; }
	@.venv/bin/pip install --quiet --disable-pip-version-check wheels/simtlab_student-*.whl

installed:
	@[ -x "$(simtlab)" ] || { echo 'simtlab is not installed here: make setup' >&2; exit 1; }
	@[ -n "$(LAB)" ] || { echo 'say which lab: make test LAB=01' >&2; exit 2; }
	@[ -n "$(folder)" ] || { echo 'there is no lab $(LAB) here; labs/ has: $(notdir $(wildcard labs/*))' >&2; exit 2; }

test: installed  ## compile and test a lab's kernel.cu; needs LAB=01
	@$(simtlab) test "$(notdir $(folder))" --folder "$(folder)"

profile: installed  ## the source with memory requests, wavefronts and findings beside each line; needs LAB=01
	@$(simtlab) test "$(notdir $(folder))" --folder "$(folder)" --profile
