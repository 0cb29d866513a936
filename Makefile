# For OpenBench and its like: `make EXE=name EVALFILE=net.nnue`. Everybody else uses cargo.
EXE ?= chuhe
ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

all:
ifdef EVALFILE
	cp "$(EVALFILE)" src/eval/nnue/net.nnue
endif
	cargo build --release --locked
	cp "target/release/chuhe$(SUFFIX)" "$(EXE)$(SUFFIX)"

.PHONY: all
