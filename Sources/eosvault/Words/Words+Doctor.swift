import CShim
import Machine
import Sandbox

// What `doctor` says of each fact.

extension Examination {
    /// The best known first: what is written to disks, who is connected, who may look on, what this
    /// program has.
    var findings: [Finding] {
        [
            ofMachine(swap), hibernation == .withoutSwap ? ofMachine(hibernating) : hibernating, lockedMemory, cores,
            ofMachine(network),
            radio, loadedObjects, tracing,
            ofMachine(virtualMachine), sandboxing, addresses, randomness, time, permissions, build,
        ]
    }

    /// What is well in a container may not be so on the machine that it runs on.
    private func ofMachine(_ finding: Finding) -> Finding {
        guard isContained, finding.state == .ok else { return finding }
        return Finding(
            finding.topic, .note, finding.text,
            "this is what a container shows; what the machine around it has can't be told",
            advice: "run this on the machine itself")
    }

    // MARK: - what may come to lie on a disk

    private var swap: Finding {
        let topic = "swap"
        let risk =
            "a PIN's derivation works in up to 1 GiB that is not locked in memory; what it leaves in swap may be found years later"
        let cure =
            "`swapoff -a` before a PIN is typed, or have the swap encrypted (dm-crypt, with a random key from /etc/crypttab)"
        guard let swapAreas else {
            return Finding(topic, .warning, "can't be told: /proc/swaps can't be read", risk, advice: cure)
        }
        func named(_ storage: Storage) -> String {
            swapAreas.filter { $0.storage == storage }.map { Printable.excerpt($0.name) }.joined(separator: ", ")
        }
        return switch swapAreas.map(\.storage).max() {
        case nil: Finding(topic, .ok, "none is in use", "memory is not written to a disk")
        case .memory: Finding(topic, .ok, "in memory alone (\(named(.memory)))", "memory is not written to a disk")
        case .encrypted:
            Finding(
                topic, .ok, "encrypted (\(named(.encrypted)))", "what is written there opens by the disk's key alone")
        case .unknown:
            Finding(topic, .warning, "whether \(named(.unknown)) is encrypted can't be told", risk, advice: cure)
        case .plain: Finding(topic, .warning, "not encrypted: \(named(.plain))", risk, advice: cure)
        }
    }

    private var hibernating: Finding {
        let topic = "hibernation"
        let risk = "it writes all of memory to the disk, what is locked too, secrets among it when a command runs then"
        let cure =
            "start the kernel with nohibernate, or `systemctl mask hibernate.target hybrid-sleep.target suspend-then-hibernate.target`"
        return switch hibernation {
        case .impossible:
            Finding(topic, .ok, "impossible with this kernel", "memory is not written to a disk as a whole")
        case .withoutSwap:
            Finding(
                topic, .ok, "impossible now: there is no swap to write to", "memory is not written to a disk as a whole"
            )
        case .possible(.plain): Finding(topic, .warning, "possible, and its disk is not encrypted", risk, advice: cure)
        case .possible(.unknown):
            Finding(topic, .note, "possible; whether its disk is encrypted can't be told", risk, advice: cure)
        case .possible(.encrypted), .possible(.memory):
            Finding(topic, .note, "possible, to an encrypted disk", risk, advice: cure)
        case .unknown: Finding(topic, .note, "whether it is possible can't be told", risk, advice: cure)
        }
    }

    private var lockedMemory: Finding {
        let topic = "locked memory"
        let needed = Words.size(UInt64(LockedMemory.needed))
        let limit =
            inherited.lockedMemory.hard.map { "\(Words.size(UInt64(max(0, $0)))) may be locked" }
            ?? "any amount may be locked"
        guard locksEnough else {
            return Finding(
                topic, .warning, "\(limit), and \(needed) are needed", "keys and PINs could come to lie in swap",
                advice: "raise memlock in /etc/security/limits.conf, or LimitMEMLOCK= of the service")
        }
        return Finding(topic, .ok, "\(limit), of \(needed) that are needed", "keys and PINs stay out of swap")
    }

    private var cores: Finding {
        let topic = "core dumps"
        let meaning = "a crash of this program leaves nothing: it forbids that to the kernel before it reads anything"
        return switch coreDumps {
        case nil: Finding(topic, .ok, "where others go can't be told", meaning)
        case .nothing: Finding(topic, .ok, "the kernel writes none", meaning)
        case .file(let name):
            Finding(topic, .ok, "those of other programs go to a file `\(Printable.excerpt(name))`", meaning)
        case .program(let path):
            Finding(topic, .ok, "those of other programs go to \(Printable.excerpt(path))", meaning)
        }
    }

    // MARK: - who is connected

    private var network: Finding {
        let topic = "network"
        let risk = "this program opens no connection, but whoever gets into the machine by one can read what you type"
        guard let interfaces else { return Finding(topic, .note, "can't be told: /sys/class/net can't be read", risk) }
        let up = interfaces.filter { $0.isUp != false }
        let connected = up.filter { $0.isConnected != false }
        func named(_ list: [NetworkInterface]) -> String {
            list.map { Printable.excerpt($0.name) }.joined(separator: ", ")
        }
        if !connected.isEmpty {
            let cure =
                "pull the cable, or `ip link set dev \(Printable.excerpt(connected[0].name)) down`; best have no interface at all"
            return Finding(topic, .warning, "up and connected: \(named(connected))", risk, advice: cure)
        }
        if !up.isEmpty {
            return Finding(
                topic, .note, "up, and not connected: \(named(up))", risk, advice: "leave it so, or switch it off")
        }
        if !interfaces.isEmpty { return Finding(topic, .ok, "down: \(named(interfaces))", "nothing is connected") }
        return Finding(topic, .ok, "no interface but the loopback", "nothing is connected")
    }

    private var radio: Finding {
        let topic = "radios"
        let risk = "a radio reaches past the gap that the air is"
        let cure = "`rfkill block all`, or the machine's switch; best have none built in"
        guard let radios else {
            let text = "no switches of radios are known; whether there is one can't be told"
            return Finding(topic, .note, text, risk, advice: "look into the machine, and into its firmware's settings")
        }
        func named(_ isOn: Bool?) -> String {
            radios.filter { $0.isOn == isOn }.map { Printable.excerpt($0.kind) }.joined(separator: ", ")
        }
        let texts = [("on: ", named(true)), ("not known to be off: ", named(nil))].filter { !$0.1.isEmpty }.map {
            $0.0 + $0.1
        }
        guard texts.isEmpty else { return Finding(topic, .warning, texts.joined(separator: "; "), risk, advice: cure) }
        return Finding(
            topic, .ok, radios.isEmpty ? "none that the kernel knows" : "all off",
            "no radio that the kernel drives is on")
    }

    // MARK: - who may look on

    private var loadedObjects: Finding {
        let topic = "preloaded code"
        let named = objects.foreign + preloaded.filter { !objects.foreign.contains($0) } + objects.variables
        let all = (named + (objects.isAudited ? ["an auditing object"] : [])).map { Printable.excerpt($0) }
        guard all.isEmpty else {
            return Finding(
                topic, .warning, all.joined(separator: ", "), "it runs inside of this program and sees each secret",
                advice:
                    "if you don't know it, find out who put it there: LD_PRELOAD, LD_AUDIT, LD_LIBRARY_PATH, /etc/ld.so.preload"
            )
        }
        return Finding(
            topic, .ok, "none was found",
            "as far as can be seen from within, what was loaded is what the program was linked with")
    }

    private var tracing: Finding {
        let topic = "tracing"
        let meaning = "this program can't be looked into but by root; your shell and your editor can be"
        return switch mayTraceOthers {
        case true?:
            Finding(
                topic, .note, "a process may look into others of the same user", meaning,
                advice: "`sysctl kernel.yama.ptrace_scope=1`, and use this machine for nothing else")
        case false?: Finding(topic, .ok, "a process may look into its children alone", meaning)
        case nil: Finding(topic, .note, "whether a process may look into others can't be told", meaning)
        }
    }

    private var virtualMachine: Finding {
        let topic = "virtual machine"
        return switch isVirtual {
        case true?:
            Finding(
                topic, .note, "this is one", "its host can read all of its memory, and copy its disk",
                advice: "sign on a machine of its own, or trust the host as you would trust this one")
        case false?: Finding(topic, .ok, "the processor tells of none", "a host that hides can't be told")
        case nil:
            Finding(topic, .note, "whether this is one can't be told", "the host of one can read all of its memory")
        }
    }

    // MARK: - what the kernel offers

    private var sandboxing: Finding {
        let topic = "kernel"
        let landlock = sandbox.landlockVersion.map { "Landlock \($0)" } ?? "no Landlock"
        let version = kernelVersion.map { "Linux \(Printable.excerpt($0))" } ?? "Linux"
        let text = "\(version) with \(sandbox.hasSeccomp ? "seccomp" : "no seccomp") and \(landlock)"
        if sandbox.hasSeccomp, let version = sandbox.landlockVersion {
            guard version >= 3 else {
                return Finding(
                    topic, .note, text,
                    "a command gives up what it does not need, but Landlock before 3 does not hold back truncation of files",
                    advice: "use a kernel from 6.2 on")
            }
            return Finding(topic, .ok, text, "a command gives up what it does not need before it touches a secret")
        }
        return Finding(
            topic, .warning, text,
            "a command can't give up all that it does not need, so a fault in it could reach further",
            advice: "use a kernel from 6.2 on that has both (CONFIG_SECCOMP_FILTER, and landlock among lsm=)")
    }

    private var addresses: Finding {
        let topic = "addresses"
        let meaning = "a fault in a program is harder to use when its addresses can't be guessed"
        if hasFixedAddresses == true {
            return Finding(
                topic, .warning, "not random in this process", meaning,
                advice: "start it without `setarch -R`, and not from a debugger")
        }
        return switch hasFixedAddresses == nil && randomizesAddresses == true ? nil : randomizesAddresses {
        case true?: Finding(topic, .ok, "random", meaning)
        case false?:
            Finding(
                topic, .warning, "not random, or not all of them", meaning,
                advice: "`sysctl kernel.randomize_va_space=2`")
        case nil: Finding(topic, .note, "whether they are random can't be told", meaning)
        }
    }

    private var randomness: Finding {
        let topic = "random numbers"
        guard isRandomReady else {
            return Finding(
                topic, .warning, "the kernel has not gathered enough to begin with",
                "a command that makes a key waits until it has",
                advice: "type, move the mouse, wait")
        }
        return Finding(topic, .ok, "the kernel's generator is ready", "new keys are made of it")
    }

    private var time: Finding {
        let topic = "clock"
        let shown = "\(Clock.text(clock.now)) UTC"
        let meaning = "by it you are told when a transaction expires, and the audit log dates its records"
        let start =
            hasBatteryClock == false ? "; no clock goes on while the power is off, so set it after each start" : ""
        if clock.isOff {
            return Finding(
                topic, .warning, "\(shown), which is not today", meaning,
                advice: "`date -u -s 2026-12-31T23:59:59` sets it")
        }
        return switch clock.isSynchronised {
        case true?: Finding(topic, .ok, "\(shown), kept right by something", meaning)
        case false?:
            Finding(
                topic, .note, "\(shown), kept right by nothing", meaning,
                advice: "compare it with a watch now and then\(start)")
        case nil: Finding(topic, .note, "\(shown); whether something keeps it right can't be told", meaning)
        }
    }

    // MARK: - what this program has

    private var permissions: Finding {
        let topic = "umask"
        let digits = String(inherited.umask, radix: 8)
        let text = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        let meaning = "this program's files are yours alone whatever it says"
        guard inherited.umask & 0o077 != 0o077 else { return Finding(topic, .ok, text, meaning) }
        return Finding(
            topic, .note, text, "\(meaning); those of other programs can be read by others",
            advice: "`umask 077` in your shell's profile")
    }

    private var build: Finding {
        let topic = "build"
        let missing = [
            (program.position_independent, "loaded at a fixed address"),
            (program.read_only_relocations, "relocations stay writable"),
            (program.bound_at_start, "symbols are bound late"),
            (program.writes_no_code, "code or stack is writable and runs"),
            (program.no_search_path, "libraries are looked for in folders of its own"),
        ].filter { !$0.0 }.map(\.1)
        let version = "eosvault \(Eosvault.version)"
        guard missing.isEmpty else {
            return Finding(
                topic, .note, "\(version), not hardened: \(missing.joined(separator: ", "))",
                "a fault in it is easier to use; a debug build is for tests",
                advice: "`make build`, and `make hardening` to see for yourself")
        }
        return Finding(
            topic, .ok, "\(version), hardened",
            "position independent, relocations read-only and bound at start, no writable code")
    }
}

extension Words {
    /// `4 warnings, 1 note`
    static func summary(of findings: [Finding]) -> String {
        let warnings = findings.count { $0.state == .warning }
        let notes = findings.count { $0.state == .note }
        return "\(count(warnings, "warning")), \(count(notes, "note"))"
    }
}
