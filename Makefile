# Two commands do everything: `make demo` installs what is missing, builds, and signs a real transaction; `make test` runs the
# tests. `make help` lists the rest.

SHELL := /bin/bash
PREFIX ?= /usr/local
TIME ?= 60
PROGRAM := .build/release/eosvault
# The C++ runtime is linked from its archive: the folder holds nothing else of that name.
ARCHIVES := .build/archives
BUILD := swift build -c release --static-swift-stdlib --disable-local-rpath -Xlinker -L$(ARCHIVES)

.PHONY: help demo build test chain torture residue hardening ctime coverage lint strict format fuzz bench man install clean deps

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: build ## make a vault, sign a real transaction, compare the signature with the one cleos made
	@sh Tests/demo.sh $(PROGRAM) Vectors/examples

# The second file records when the program was last known to be up to date; the build leaves an unchanged one as it is.
build: deps $(ARCHIVES) ## the release program at .build/release/eosvault
	$(BUILD) --product eosvault
	@touch $(PROGRAM).built

test: build ## every test and the vectors; tests of commands run the release program
	EOSVAULT_PROGRAM="$(CURDIR)/$(PROGRAM)" swift test

chain: build ## sign more than 200 transactions for a real chain, which accepts or refuses them; fetches nodeos from PyPI once
	@sh Tests/install-dependencies.sh chain
	sh Tests/chain.sh $(PROGRAM)

torture: build ## damage, kills, power loss, full and failing disks, a crowd, 100,000 keys: in full, with figures
	sh Tests/torture.sh $(PROGRAM)

residue: build ## every command's memory searched for every secret, at each output and at its end: in full, with figures
	sh Tests/residue.sh $(PROGRAM)

hardening: build ## how the release program was built and linked: PIE, RELRO, stack protector and so on; fails when one is missing
	sh Tests/hardening.sh --self-test
	sh Tests/hardening.sh $(PROGRAM)

coverage: deps ## line coverage of the codec modules, which is to be 95 % or more
	sh Tests/coverage.sh

ctime: build ## no time depends on a secret: the optimised library under valgrind, with its secrets marked
	EOSVAULT_CTIME=1 $(BUILD) --scratch-path .build/ctime --product eosvault-ctime
	sh Tests/ctime.sh .build/ctime/release/eosvault-ctime $(PROGRAM)

lint: ## formatting, scripts, and what must not be in the tree
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	sh Tests/lint.sh

strict: deps ## every target, warnings as errors, imports only down
	EOSVAULT_STRICT=1 swift build --build-tests --scratch-path .build/strict --explicit-target-dependency-import-check error

format: ## format the sources
	swift format --in-place --recursive --parallel Package.swift Sources Tests

fuzz: deps ## each parser under random input, TIME seconds each (60)
	sh Tests/fuzz.sh $(TIME)

bench: build ## rates beside their yardsticks, in one run
	$(BUILD) --product eosvault-bench
	.build/release/eosvault-bench

man: deps ## the man page, at .build/man
	mkdir -p .build/man
	swift package --scratch-path .build/manual --allow-writing-to-directory .build/man generate-manual --output-directory .build/man

install: build man ## the program, its man page and completions below PREFIX
	install -D -s -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/eosvault
	install -D -m 644 .build/man/eosvault.1 $(DESTDIR)$(PREFIX)/share/man/man1/eosvault.1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(PROGRAM) --generate-completion-script bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/eosvault
	$(PROGRAM) --generate-completion-script zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_eosvault
	$(PROGRAM) --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/eosvault.fish

clean: ## what was built
	rm -rf .build

deps:
	@sh Tests/install-dependencies.sh

$(ARCHIVES):
	mkdir -p $@
	ln -sf "$$(clang -print-file-name=libstdc++.a)" $@/libstdc++.a
