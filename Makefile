# `make demo` installs missing packages, builds the program, and signs a real transaction. `make
# test` runs all tests, `make check` the quick ones. `make help` lists the other targets.

SHELL := /bin/bash
PREFIX ?= /usr/local
TIME ?= 60
MINUTES ?= 0
# The folder of the strict build. With EOSVAULT_STRICT=1 in the environment, it can be .build.
STRICT ?= .build/strict
PROGRAM := .build/release/eosvault
AGENT := .build/release/eosvault-agent
TOKEN := .build/release/eosvault-token
# The C++ runtime is linked statically: this folder contains only its archive.
ARCHIVES := .build/archives
# What `make install` copies.
STAGE := .build/install
MANUAL := .build/release/eosvault-manual
SCAN := .build/release/eosvault-scan
# What `make install-scan` copies.
SCAN_STAGE := .build/install-scan
BUILD := swift build -c release --static-swift-stdlib --disable-local-rpath -Xlinker -L$(ARCHIVES)

# What `--version --verbose` prints.
export EOSVAULT_COMMIT := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)$(shell \
    git status --porcelain 2>/dev/null | grep -q . && echo -changed)

# The tests to run: a regular expression for `swift test --filter`.
FILTER ?=
# `make check` skips the tests that start many processes or try many inputs.
SLOW := ^(Command|Residue|Hardening|Laws)Tests|Torture|Crash|Attack|Damage|Rescue|Tamper
SLOW := $(SLOW)|Random(Policy|Request)|smallestVersion|randomBytes|medianAt|isLinear|OnlyWhileLent
# The vault's tests lock and protect memory all the time: `make test FILTER=^KeyVaultTests`.
SLOW := $(SLOW)|^KeyVaultTests

.PHONY: help demo program manual agent build scan check test interface docs examples chain agent-load agent-attack \
	torture residue search hardening ctime coverage threads lint figures strict format fuzz bench dist deb release \
	order packages walk reproducible install install-scan uninstall uninstall-scan clean deps test-deps scan-deps

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo: program ## create a vault, sign a real transaction, compare the signature with that of cleos
	@sh Tests/Tools/demo.sh $(PROGRAM) Vectors/examples

# The program that makes the man pages.
manual: deps $(ARCHIVES)
	$(BUILD) --product eosvault-manual

# The second file records when the program was last up to date; the build does not touch an
# unchanged program.
program: deps $(ARCHIVES)
	$(BUILD) --product eosvault
	$(BUILD) --product eosvault-token
	@touch $(PROGRAM).built

agent: deps $(ARCHIVES) ## build only the release program .build/release/eosvault-agent, which signs for cleos
	$(BUILD) --product eosvault-agent

build: program agent manual ## build eosvault, eosvault-agent and eosvault-token, man pages and completions
	@$(MAKE) --no-print-directory $(STAGE)

scan: scan-deps $(ARCHIVES) manual ## build .build/release/eosvault-scan, which reads QR codes; needs libzbar
	$(BUILD) --product eosvault-scan
	@touch $(SCAN).built
	@$(MAKE) --no-print-directory $(SCAN_STAGE)

check: lint test-deps ## the quick check: lint, a debug build, the fast tests, the samples of the documentation
	swift build --build-tests
	swift test --skip-build --skip '$(SLOW)'
	sh Tests/Tools/samples.sh

test: build scan test-deps ## run all tests, vectors and samples, or only the tests that match FILTER=REGEX
	TMPDIR="$$(sh Tests/Tools/temporary-folder.sh)" EOSVAULT_PROGRAM="$(CURDIR)/$(PROGRAM)" \
		sh Tests/Tools/failures-last.sh sh Tests/Tools/test.sh $(if $(FILTER),'$(FILTER)')
	$(if $(FILTER),,sh Tests/Tools/samples.sh)
	$(if $(FILTER),,sh Tests/Tools/interface.sh)
	$(if $(FILTER),,sh Packaging/library-docs.sh .build/docs)

interface: ## write the listing of the public interface of the libraries, after a debug build
	write=1 sh Tests/Tools/interface.sh

docs: ## make static pages of the documentation of the libraries, after a debug build: .build/docs
	sh Packaging/library-docs.sh .build/docs

examples: build test-deps ## run the examples in Python and Node, and the app with this folder and with a clone
	@sh Packaging/install-dependencies.sh examples
	sh Tests/Tools/programs.sh $(PROGRAM)
	sh Tests/Tools/wallet.sh

chain: build ## sign over 200 transactions for a real chain; downloads nodeos from PyPI once
	@sh Packaging/install-dependencies.sh chain
	sh Tests/Tools/chain.sh $(PROGRAM)

agent-load: build ## measure the agent next to keosd, then MINUTES (0) at full load; on an idle machine
	@sh Packaging/install-dependencies.sh chain
	sh Tests/Tools/agent-load.sh $(PROGRAM) 5 $(MINUTES)

agent-attack: build ## attack a real agent through its socket, and take its disk away; as root for all parts
	python3 -B Tests/Agent/attack.py $(PROGRAM)

torture: build test-deps ## run all torture tests and print figures: kills, power loss, failing disks, 100,000 keys
	sh Tests/Tools/torture.sh $(PROGRAM)

search: build scan test-deps ## run the tests with random inputs in their long form, and print figures
	sh Tests/Tools/search.sh $(PROGRAM)

residue: build test-deps ## search the memory of every command for every secret, and print figures
	sh Tests/Tools/residue.sh $(PROGRAM)

order: program test-deps ## list the functions that common commands call: Packaging/order.txt, for the linker
	sh Packaging/order.sh $(PROGRAM) Vectors/examples

hardening: build scan test-deps ## check how the release programs were built and linked: PIE, RELRO, stack protector
	sh Tests/Tools/hardening.sh --self-test
	sh Tests/Tools/hardening.sh $(PROGRAM)
	sh Tests/Tools/hardening.sh --agent $(AGENT)
	sh Tests/Tools/hardening.sh --token $(TOKEN)
	sh Tests/Tools/hardening.sh --scan $(SCAN)

coverage: test-deps ## check that the line coverage of the codec modules is at least 95 %
	sh Tests/Tools/coverage.sh

ctime: build test-deps ## check with valgrind that no timing of the optimised library depends on a secret
	EOSVAULT_CTIME=1 $(BUILD) --scratch-path .build/ctime --product eosvault-ctime
	sh Tests/Tools/ctime.sh .build/ctime/release/eosvault-ctime $(PROGRAM)

threads: test-deps ## use the libraries from several threads under Thread Sanitizer
	swift build --sanitize=thread --scratch-path .build/threads --product LibraryProbe
	.build/threads/debug/LibraryProbe

lint: ## check formatting, scripts, lengths, and forbidden text
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples
	sh Tests/Tools/lint.sh

figures: ## print how large the code is: lines, comments, targets, longest files and functions
	@sh Tests/Tools/figures.sh

strict: test-deps ## build every target with warnings as errors and layered imports
	EOSVAULT_STRICT=1 swift build --build-tests --scratch-path $(STRICT) \
		--explicit-target-dependency-import-check error

format: ## format the sources
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples

fuzz: deps ## fuzz each law for TIME seconds (60)
	sh Tests/Tools/fuzz.sh $(TIME)

bench: build ## measure rates next to their references; COMPARE=1 fails if a ratio is worse than the committed one
	@sh Packaging/install-dependencies.sh bench
	$(BUILD) --product eosvault-bench
	.build/release/eosvault-bench $(if $(COMPARE),--compare Tests/Tools/ratios.json)
	$(if $(COMPARE),,@sh Tests/Tools/token-rate.sh $(PROGRAM))

dist: build scan ## make the archive for another machine: programs, man pages, licences, bill of materials, hashes
	@sh Packaging/dist.sh $(STAGE) $(SCAN_STAGE) .build/dist

deb: build scan ## make the Debian packages; MAINTAINER='Name <address>' names its maintainer
	@sh Packaging/deb.sh eosvault $(STAGE) .build/dist
	@sh Packaging/deb.sh eosvault-scan $(SCAN_STAGE) .build/dist

release: ## make what a release page needs and the tag: VERSION=1.2.3 MINISIGN_KEY=FILE MAINTAINER='Name <address>'
	@sh Packaging/release.sh check "$(VERSION)"
	@$(MAKE) build scan
	@sh Packaging/release.sh make "$(VERSION)" $(STAGE) $(SCAN_STAGE) ".build/releases/$(VERSION)"

packages: build scan ## test what `make dist`, `make deb` and `make release` make
	@sh Packaging/install-dependencies.sh packages
	sh Tests/Tools/packages.sh $(STAGE) $(SCAN_STAGE) Vectors/examples
	sh Tests/Tools/release.sh $(STAGE) $(SCAN_STAGE)

walk: ## walk a new user's path to a signature, with a release in a minimal Debian; as root
	@sh Tests/Tools/walk.sh check
	@sh Packaging/install-dependencies.sh walk
	@$(MAKE) build scan
	sh Tests/Tools/walk.sh $(STAGE) $(SCAN_STAGE) Vectors/examples

reproducible: ## build the last commit twice, in other folders and as other users, and compare the bytes
	sh Tests/Tools/reproducible.sh

install: ## copy the output of `make build` below PREFIX (/usr/local): programs, man pages, completions
	@sh Packaging/install.sh install "$(DESTDIR)$(PREFIX)" eosvault $(STAGE)

install-scan: ## copy the output of `make scan` below PREFIX: program, man page, completions
	@sh Packaging/install.sh install "$(DESTDIR)$(PREFIX)" eosvault-scan $(SCAN_STAGE)

uninstall: ## remove what `make install` put below PREFIX
	@sh Packaging/install.sh uninstall "$(DESTDIR)$(PREFIX)" eosvault

uninstall-scan: ## remove what `make install-scan` put below PREFIX
	@sh Packaging/install.sh uninstall "$(DESTDIR)$(PREFIX)" eosvault-scan

clean: ## remove build output
	rm -rf .build

deps:
	@sh Packaging/install-dependencies.sh

scan-deps:
	@sh Packaging/install-dependencies.sh scan

test-deps:
	@sh Packaging/install-dependencies.sh scan test

$(ARCHIVES):
	mkdir -p $@
	ln -sf "$$(clang -print-file-name=libstdc++.a)" $@/libstdc++.a

# `make build` makes it after these programs are up to date.
DOCUMENTS := README.md SECURITY.md CONTRIBUTING.md $(shell find docs Examples -type f -not -path '*/.build/*') \
    $(shell find Sources Vectors -name '*.md')
$(STAGE): $(wildcard $(PROGRAM) $(AGENT) $(TOKEN) $(MANUAL)) $(DOCUMENTS) Packaging/stage.sh \
    Packaging/docs.sh
	sh Packaging/stage.sh $(MANUAL) $@ $(PROGRAM) $(AGENT) $(TOKEN)
	sh Packaging/docs.sh $@/share/doc/eosvault

# `make scan` makes it after both programs are up to date.
$(SCAN_STAGE): $(wildcard $(SCAN) $(MANUAL)) Packaging/stage.sh
	sh Packaging/stage.sh $(MANUAL) $@ $(SCAN)
