# The one line of every lab's Makefile includes this file: `make test`, `make predict`, `make profile`, `make phases`,
# `make run INPUT=...` and `make debug`, typed inside a lab's folder, are about that lab.
#
#   include ../../harness/cmake/lab.mk
.DEFAULT_GOAL := test
.PHONY: test predict profile phases run debug help
MAKEFLAGS += --no-print-directory
lab_folder := $(patsubst %/,%,$(dir $(abspath $(firstword $(MAKEFILE_LIST)))))

help:
	@echo '  make test      build and test this lab; WATCH=1 again at each save'
	@echo '  make predict   questions to answer before you code, in predict.toml'
	@echo '  make profile   your source with memory requests, wavefronts and findings beside each line'
	@echo '  make phases    which thread of your kernel loads what in which phase of a toy, where the lab has one'
	@echo '  make run       your kernel on a small input of your own: INPUT=mine.txt'
	@echo '  make debug     gdb in one thread: CASE="one tile" BLOCK=1,0 THREAD=3,2'

test predict profile phases run debug:
	@$(MAKE) -C $(lab_folder)/../.. $@ LAB=$(notdir $(lab_folder)) $(if $(INPUT),INPUT='$(abspath $(INPUT))') $(if $(SIZES),SIZES='$(SIZES)')
