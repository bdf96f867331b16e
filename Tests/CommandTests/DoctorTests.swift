import CShim
import Machine
import Sandbox
import Testing

@testable import eosvault

/// What `doctor` says of machines that no test can be run on.
struct DoctorTests {
    private func finding(_ topic: String, _ change: (inout Examination) -> Void) throws -> Finding {
        var examination = Examination(of: SystemTree(root: "/nowhere"))
        change(&examination)
        return try #require(examination.findings.first { $0.topic == topic })
    }

    /// What can't be told is a note, and never called well.
    @Test func unknownMachine() throws {
        let examination = Examination(of: SystemTree(root: "/nowhere"))
        let unknown = examination.findings.filter { $0.text.contains("can't be told") }.map(\.topic)
        #expect(
            unknown == [
                "swap", "hibernation", "core dumps", "network", "radios", "tracing", "virtual machine", "addresses",
            ])
        for finding in examination.findings where unknown.contains(finding.topic) {
            // Of its own core dumps the program is certain.
            #expect(finding.state == (finding.topic == "core dumps" ? .ok : finding.topic == "swap" ? .warning : .note))
        }
    }

    @Test(
        arguments: [
            ([], Finding.State.ok), ([.memory], .ok), ([.memory, .encrypted], .ok), ([.encrypted, .unknown], .warning),
            ([.unknown, .plain], .warning),
        ] as [([Storage], Finding.State)])
    func swap(storages: [Storage], state: Finding.State) throws {
        let areas = storages.map { SwapArea(name: "/dev/\($0)", storage: $0) }
        let finding = try finding("swap") { $0.swapAreas = areas }
        #expect(finding.state == state)
        #expect((finding.advice == nil) == (state == .ok))
        // The one that is worst is named.
        if let worst = storages.max() { #expect(finding.text.contains("/dev/\(worst)")) }
        let traces = Words.diskTraces(swapAreas: areas, hibernation: .impossible)
        #expect(traces.count == (state == .ok ? 0 : 1))
    }

    @Test(
        arguments: [
            (.impossible, Finding.State.ok), (.withoutSwap, .ok), (.possible(.encrypted), .note),
            (.possible(.unknown), .note),
            (.possible(.plain), .warning), (.unknown, .note),
        ] as [(Hibernation, Finding.State)])
    func hibernation(hibernation: Hibernation, state: Finding.State) throws {
        let finding = try finding("hibernation") { $0.hibernation = hibernation }
        #expect(finding.state == state)
        #expect((finding.advice == nil) == (state == .ok))
        #expect(Words.diskTraces(swapAreas: [], hibernation: hibernation).isEmpty == (state != .warning))
    }

    @Test(
        arguments: [
            ([], Finding.State.ok), ([(false, false)], .ok), ([(true, false)], .note), ([(true, true)], .warning),
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
            (nil, Finding.State.note, "no switches of radios are known; whether there is one can't be told"),
            ([], .ok, "none that the kernel knows"), ([false], .ok, "all off"),
            ([false, true], .warning, "on: kind 1"),
            ([nil], .warning, "not known to be off: kind 0"),
            ([true, nil, false], .warning, "on: kind 0; not known to be off: kind 1"),
        ] as [([Bool?]?, Finding.State, String)])
    func radios(states: [Bool?]?, state: Finding.State, text: String) throws {
        let radios = states?.enumerated().map { Radio(kind: "kind \($0)", isOn: $1) }
        let finding = try finding("radios") { $0.radios = radios }
        #expect(finding.state == state)
        #expect(finding.text == text)
    }

    @Test(arguments: [
        (SandboxSupport(landlockVersion: 4, hasSeccomp: true), Finding.State.ok, "with seccomp and Landlock 4"),
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
            "1970-01-12T13:46:40 UTC, which is not today"
        ),
        (SystemClock(now: -1, isSynchronised: nil), .warning, "-1 UTC, which is not today"),
        (
            SystemClock(now: 1_796_083_200, isSynchronised: true), .ok,
            "2026-12-01T00:00:00 UTC, kept right by something"
        ),
        (
            SystemClock(now: 1_796_083_200, isSynchronised: false), .note,
            "2026-12-01T00:00:00 UTC, kept right by nothing"
        ),
        (
            SystemClock(now: 1_796_083_200, isSynchronised: nil), .note,
            "2026-12-01T00:00:00 UTC; whether something keeps it right can't be told"
        ),
    ])
    func clock(clock: SystemClock, state: Finding.State, text: String) throws {
        let finding = try finding("clock") { $0.clock = clock }
        #expect(finding.state == state)
        #expect(finding.text == text)
    }

    @Test(
        arguments: [
            (true, false, Finding.State.ok), (true, true, .warning), (false, false, .warning), (nil, true, .warning),
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

    /// What a container shows is not called well; what is not well stays so.
    @Test(arguments: ["swap", "hibernation", "network", "virtual machine"])
    func container(topic: String) throws {
        func state(isContained: Bool, isWell: Bool) throws -> Finding.State {
            try finding(topic) {
                $0.isContained = isContained
                $0.swapAreas = isWell ? [] : nil
                $0.hibernation = isWell ? .withoutSwap : .possible(.plain)
                $0.interfaces = isWell ? [] : [NetworkInterface(name: "eth0", isUp: true, isConnected: true)]
                $0.isVirtual = !isWell
            }.state
        }
        #expect(try state(isContained: false, isWell: true) == .ok)
        #expect(try state(isContained: true, isWell: true) == .note)
        #expect(try state(isContained: true, isWell: false) == state(isContained: false, isWell: false))
    }

    @Test func build() throws {
        let hardened = try finding("build") {
            $0.program = .init(
                position_independent: true, read_only_relocations: true, bound_at_start: true, writes_no_code: true,
                no_search_path: true)
        }
        #expect(hardened.state == .ok)
        let bare = try finding("build") { $0.program = .init() }
        #expect(bare.state == .note)
        #expect(
            bare.text
                == "eosvault \(Eosvault.version), not hardened: loaded at a fixed address, relocations stay writable, "
                + "symbols are bound late, code or stack is writable and runs, libraries are looked for in folders of its own"
        )
    }

    /// What a machine's files say can't act on a terminal.
    @Test func namesArePrintable() throws {
        let name = "\u{1b}[2J\n/dev/x"
        var examination = Examination(of: SystemTree(root: "/nowhere"))
        examination.swapAreas = [SwapArea(name: name, storage: .plain)]
        examination.interfaces = [NetworkInterface(name: name, isUp: true, isConnected: true)]
        examination.radios = [Radio(kind: name, isOn: true)]
        examination.coreDumps = .program(name)
        examination.kernelVersion = name
        examination.preloaded = [name]
        let text = FindingTable(findings: examination.findings, colored: false).text
        #expect(!text.contains("\u{1b}"))
        #expect(!text.split(separator: "\n").contains("/dev/x"))
        #expect(!Words.diskTraces(swapAreas: examination.swapAreas, hibernation: .unknown).joined().contains("\u{1b}"))
    }

    @Test func linesBreakBetweenWords() {
        let word = String(repeating: "a", count: 40)
        #expect(FindingTable.wrapped("\(word) \(word) \(word)") == ["\(word) \(word)", word])
        #expect(FindingTable.wrapped("\(word) `one two \(word)` x") == [word, "`one two \(word)` x"])
        #expect(FindingTable.wrapped("") == [])
        #expect(FindingTable.wrapped("no end of `it") == ["no end of `it"])
    }
}
