import Shell
import Testing

@testable import App
@testable import Hardening

/// The findings of `doctor` for machines on which no test can run.
struct DoctorTests {
    private func finding(_ topic: String, _ change: (inout Examination) -> Void) throws -> Finding {
        var examination = Examination(of: SystemTree(root: "/nowhere"))
        change(&examination)
        return try #require(examination.findings.first { $0.topic == topic })
    }

    /// An unknown fact is a note or a warning, never `ok`; only core dumps are an exception.
    @Test func unknownMachine() throws {
        let examination = Examination(of: SystemTree(root: "/nowhere"))
        let unknown = examination.findings.filter { $0.text.contains("unknown") }.map(\.topic)
        #expect(
            unknown == [
                "swap", "hibernation", "core dumps", "network", "radios", "tracing", "virtual machine",
                "addresses",
            ])
        for finding in examination.findings where unknown.contains(finding.topic) {
            // eosvault disables its own core dumps, so an unknown setting of the kernel is no risk.
            #expect(
                finding.state
                    == (finding.topic == "core dumps" ? .ok : finding.topic == "swap" ? .warning : .note))
        }
    }

    @Test(
        arguments: [
            ([], Finding.State.ok), ([.memory], .ok), ([.memory, .encrypted], .ok),
            ([.encrypted, .unknown], .warning),
        ] as [([Storage], Finding.State)])
    func swap(storages: [Storage], state: Finding.State) throws {
        let areas = storages.map { SwapArea(name: "/dev/\($0)", storage: $0) }
        let finding = try finding("swap") { $0.swapAreas = areas }
        #expect(finding.state == state)
        #expect((finding.advice == nil) == (state == .ok))
        // The text names the area with the worst storage.
        if let worst = storages.max() { #expect(finding.text.contains("/dev/\(worst)")) }
        let traces = Words.diskTraces(swapAreas: areas, hibernation: .impossible)
        #expect(traces.count == (state == .ok ? 0 : 1))
    }

    @Test(
        arguments: [
            (.impossible, Finding.State.ok), (.withoutSwap, .ok), (.possible(.encrypted), .note),
            (.possible(.unknown), .warning), (.unknown, .note),
        ] as [(Hibernation, Finding.State)])
    func hibernation(hibernation: Hibernation, state: Finding.State) throws {
        let finding = try finding("hibernation") { $0.hibernation = hibernation }
        #expect(finding.state == state)
        #expect((finding.advice == nil) == (state == .ok))
        #expect(Words.diskTraces(swapAreas: [], hibernation: hibernation).isEmpty == (state != .warning))
    }

    @Test(
        arguments: [
            ([], Finding.State.ok), ([(false, false)], .ok), ([(true, false)], .note),
            ([(true, true)], .warning),
            ([(nil, nil)], .warning),
            ([(false, true)], .ok), ([(true, false), (true, nil)], .warning),
        ] as [([(Bool?, Bool?)], Finding.State)])
    func network(interfaces: [(Bool?, Bool?)], state: Finding.State) throws {
        let interfaces = interfaces.enumerated().map {
            NetworkInterface(name: "eth\($0)", isUp: $1.0, isConnected: $1.1)
        }
        #expect(try finding("network") { $0.interfaces = interfaces }.state == state)
    }

    @Test(
        arguments: [
            (nil, Finding.State.note, "unknown: the kernel lists no radio and no radio switch"),
            ([], .ok, "the kernel lists none"), ([false], .ok, "all off"),
            ([false, true], .warning, "on: kind 1"),
            ([nil], .warning, "on or off is unknown: kind 0"),
            ([true, nil, false], .warning, "on: kind 0; on or off is unknown: kind 1"),
        ] as [([Bool?]?, Finding.State, String)])
    func radios(states: [Bool?]?, state: Finding.State, text: String) throws {
        let radios = states?.enumerated().map { Radio(kind: "kind \($0)", isOn: $1) }
        let finding = try finding("radios") { $0.radios = radios }
        #expect(finding.state == state)
        #expect(finding.text == text)
    }

    @Test(arguments: [
        (
            SandboxSupport(landlockVersion: 4, hasSeccomp: true), Finding.State.ok,
            "with seccomp and Landlock 4"
        ),
        (SandboxSupport(landlockVersion: 3, hasSeccomp: true), .ok, "with seccomp and Landlock 3"),
        (SandboxSupport(landlockVersion: 2, hasSeccomp: true), .note, "with seccomp and Landlock 2"),
        (SandboxSupport(landlockVersion: 1, hasSeccomp: true), .note, "with seccomp and Landlock 1"),
        (SandboxSupport(landlockVersion: nil, hasSeccomp: true), .warning, "with seccomp and no Landlock"),
        (SandboxSupport(landlockVersion: 1, hasSeccomp: false), .warning, "with no seccomp and Landlock 1"),
    ])
    func kernel(sandbox: SandboxSupport, state: Finding.State, text: String) throws {
        let finding = try finding("kernel") { $0.sandbox = sandbox }
        #expect(finding.state == state)
        #expect(finding.text == "Linux \(text)")
    }

    @Test(arguments: [
        (
            SystemClock(now: 1_000_000, isSynchronised: true), Finding.State.warning,
            "1970-01-12T13:46:40 UTC, which is wrong"
        ),
        (SystemClock(now: -1, isSynchronised: nil), .warning, "-1 UTC, which is wrong"),
        (
            SystemClock(now: 1_796_083_200, isSynchronised: true), .ok,
            "2026-12-01T00:00:00 UTC, synchronised"
        ),
        (
            SystemClock(now: 1_796_083_200, isSynchronised: false), .note,
            "2026-12-01T00:00:00 UTC, not synchronised"
        ),
        (
            SystemClock(now: 1_796_083_200, isSynchronised: nil), .note,
            "2026-12-01T00:00:00 UTC; unknown whether it is synchronised"
        ),
    ])
    func clock(clock: SystemClock, state: Finding.State, text: String) throws {
        let finding = try finding("clock") { $0.clock = clock }
        #expect(finding.state == state)
        #expect(finding.text == text)
    }

    @Test(
        arguments: [
            (true, false, Finding.State.ok), (true, true, .warning), (false, false, .warning),
            (nil, true, .warning),
            (nil, false, .note),
            (true, nil, .note), (false, nil, .warning),
        ] as [(Bool?, Bool?, Finding.State)])
    func addresses(ofKernel: Bool?, areFixed: Bool?, state: Finding.State) throws {
        let finding = try finding("addresses") {
            $0.randomizesAddresses = ofKernel
            $0.hasFixedAddresses = areFixed
        }
        #expect(finding.state == state)
    }

    /// In a container an `ok` becomes a note; other findings stay as they are.
    @Test(arguments: ["swap", "hibernation", "network", "virtual machine"])
    func container(topic: String) throws {
        func state(isContained: Bool, isSafe: Bool) throws -> Finding.State {
            try finding(topic) {
                $0.isContained = isContained
                $0.swapAreas = isSafe ? [] : nil
                $0.hibernation = isSafe ? .withoutSwap : .possible(.unknown)
                $0.interfaces = isSafe ? [] : [NetworkInterface(name: "eth0", isUp: true, isConnected: true)]
                $0.isVirtual = !isSafe
            }.state
        }
        #expect(try state(isContained: false, isSafe: true) == .ok)
        #expect(try state(isContained: true, isSafe: true) == .note)
        #expect(try state(isContained: true, isSafe: false) == state(isContained: false, isSafe: false))
    }

    @Test func build() throws {
        let hardened = try finding("build") {
            $0.missingProtections = []
        }
        #expect(hardened.state == .ok)
        let bare = try finding("build") { $0.missingProtections = LinkerProtection.allCases }
        #expect(bare.state == .note)
        #expect(
            bare.text
                == "eosvault \(Eosvault.version), not hardened: loaded at a fixed address, relocations stay writable, "
                + "symbols are bound lazily, code is writable or the stack is executable, "
                + "a library search path (RPATH) is set"
        )
    }

    /// Names from the machine's files can't contain control characters in the output.
    @Test func namesArePrintable() throws {
        let name = "\u{1b}[2J\n/dev/x"
        var examination = Examination(of: SystemTree(root: "/nowhere"))
        examination.swapAreas = [SwapArea(name: name, storage: .unknown)]
        examination.interfaces = [NetworkInterface(name: name, isUp: true, isConnected: true)]
        examination.radios = [Radio(kind: name, isOn: true)]
        examination.coreDumps = .program(name)
        examination.kernelVersion = name
        examination.preloaded = [name]
        let text = FindingTable(findings: examination.findings, colored: false).text
        #expect(!text.contains("\u{1b}"))
        #expect(!text.split(separator: "\n").contains("/dev/x"))
        #expect(
            !Words.diskTraces(swapAreas: examination.swapAreas, hibernation: .unknown).joined().contains(
                "\u{1b}"))
    }

    @Test func linesBreakBetweenWords() {
        let word = String(repeating: "a", count: 40)
        #expect(WordWrap.rows("\(word) \(word) \(word)", width: 84) == ["\(word) \(word)", word])
        #expect(WordWrap.rows("\(word) `one two \(word)` x", width: 84) == [word, "`one two \(word)` x"])
        #expect(WordWrap.rows("", width: 84) == [])
        #expect(WordWrap.rows("no end of `it", width: 84) == ["no end of `it"])
        // A command that is wider than a row is broken between its words; a word is never broken.
        #expect(WordWrap.rows("run `one two three`", width: 10) == ["run `one", "two three`"])
        #expect(WordWrap.rows("  a \(word)  b c", width: 10, indent: 4) == ["  a", "    " + word, "    b c"])
    }
}
