# The one line of every lab's Makefile includes this file: `make test`, `make predict` and `make profile`, typed inside a
# lab's folder, mean that lab.
#
#   include ../../harness/cmake/lab.mk
.DEFAULT_GOAL := test
.PHONY: test predict profile help
MAKEFLAGS += --no-print-directory
lab_folder := $(patsubst %/,%,$(dir $(abspath $(firstword $(MAKEFILE_LIST)))))

help:
	@echo '  make test      build and test this lab'
	@echo '  make predict   questions to answer before you code, in predict.toml'
	@echo '  make profile   your source with memory requests, wavefronts and findings beside each line'

test predict profile:
	@$(MAKE) -C $(lab_folder)/../.. $@ LAB=$(notdir $(lab_folder))
