import Hardening
import Shell

// The text of `doctor` for each fact about the machine.

extension Examination {
    /// In the order of the report: data that may reach a disk, network and radios, other processes,
    /// the kernel, and eosvault's own process.
    var findings: [Finding] {
        [
            ("swap", ofMachine(swap)),
            ("hibernation", hibernation == .withoutSwap ? ofMachine(hibernating) : hibernating),
            ("locked memory", lockedMemory), ("core dumps", cores), ("network", ofMachine(network)),
            ("radios", radio),
            ("preloaded code", loadedObjects), ("tracing", tracing),
            ("virtual machine", ofMachine(virtualMachine)),
            ("kernel", sandboxing), ("addresses", addresses), ("random numbers", randomness), ("clock", time),
            ("umask", permissions), ("build", build),
        ].map { topic, finding in finding.about(topic) }
    }

    /// Turns `ok` into a note in a container: the host machine may differ.
    private func ofMachine(_ finding: Finding) -> Finding {
        guard isContained, finding.state == .ok else { return finding }
        return .note(
            finding.text, "the container shows only its own view; the host machine may differ",
            advice: "run `eosvault doctor` on the host machine")
    }

    // MARK: - data that may reach a disk

    private var swap: Finding {
        let risk =
            "the key derivation for a PIN uses unlocked memory, 256 MiB by default; parts of it may be written to "
            + "swap, where they can be read years later"
        let advice =
            "run `swapoff -a` before you type a PIN, or encrypt the swap (dm-crypt, a key from /etc/crypttab)"
        guard let swapAreas else {
            return .warning("unknown: /proc/swaps can't be read", risk, advice: advice)
        }
        let noDisk = "memory is not written to a disk"
        return switch swapAreas.map(\.storage).max() {
        case nil: .ok("none is in use", noDisk)
        case .memory: .ok("in memory only (\(swapAreas.names(of: .memory)))", noDisk)
        case .encrypted:
            .ok(
                "encrypted (\(swapAreas.names(of: .encrypted)))",
                "only the key of the disk decrypts swapped memory")
        case .unknown: .warning("may be unencrypted: \(swapAreas.names(of: .unknown))", risk, advice: advice)
        }
    }

    private var hibernating: Finding {
        let risk =
            "it writes all memory to the disk, including locked memory and the secrets of a running command"
        let advice =
            "start the kernel with `nohibernate`, or run "
            + "`systemctl mask hibernate.target hybrid-sleep.target suspend-then-hibernate.target`"
        let noDisk = "the kernel can't write all memory to a disk"
        return switch hibernation {
        case .impossible: .ok("impossible with this kernel", noDisk)
        case .withoutSwap: .ok("impossible now: there is no swap to write to", noDisk)
        case .possible(.unknown):
            .warning("possible, to a disk that may be unencrypted", risk, advice: advice)
        case .possible(.encrypted), .possible(.memory):
            .note("possible, to an encrypted disk", risk, advice: advice)
        case .unknown: .note("unknown whether it is possible", risk, advice: advice)
        }
    }

    private var lockedMemory: Finding {
        let limit = inherited.lockedMemory.hard.map { Words.size(UInt64(max(0, $0))) } ?? "any amount"
        let text = "\(limit) can be locked; \(Words.size(UInt64(LockedMemory.needed))) are needed"
        guard !locksEnough else { return .ok(text, "keys and PINs stay out of swap") }
        return .warning(
            text, "keys and PINs may be swapped to disk",
            advice: "raise memlock in /etc/security/limits.conf, or LimitMEMLOCK= of the systemd service")
    }

    private var cores: Finding {
        let meaning =
            "eosvault disables its own core dumps before it reads any input, so a crash leaves no data"
        return switch coreDumps {
        case nil: .ok("unknown where dumps of other programs go", meaning)
        case .nothing: .ok("the kernel writes none", meaning)
        case .file(let name):
            .ok("dumps of other programs go to a file `\(Printable.excerpt(name))`", meaning)
        case .program(let path): .ok("dumps of other programs go to \(Printable.excerpt(path))", meaning)
        }
    }

    // MARK: - network and radios

    private var network: Finding {
        let risk = "eosvault opens no connection, but an attacker from the network can read what you type"
        guard let interfaces else { return .note("unknown: /sys/class/net can't be read", risk) }
        let up = interfaces.filter { $0.isUp != false }
        let connected = up.filter { $0.isConnected != false }
        func named(_ list: [NetworkInterface]) -> String {
            list.map { Printable.excerpt($0.name) }.joined(separator: ", ")
        }
        if !connected.isEmpty {
            let advice =
                "unplug the cable, or run `ip link set dev \(Printable.excerpt(connected[0].name)) down`; "
                + "a machine without a network interface is best"
            return .warning("up and connected: \(named(connected))", risk, advice: advice)
        }
        if !up.isEmpty {
            return .note(
                "up, but not connected: \(named(up))", risk, advice: "leave it disconnected, or switch it off"
            )
        }
        let isNone = interfaces.isEmpty
        return .ok(
            isNone ? "no interface except the loopback" : "down: \(named(interfaces))", "nothing is connected"
        )
    }

    private var radio: Finding {
        let risk = "a radio bridges the air gap"
        guard let radios else {
            return .note(
                "unknown: the kernel lists no radio and no radio switch", risk,
                advice: "check the machine's hardware and its firmware settings")
        }
        func named(_ isOn: Bool?, _ title: String) -> String? {
            let kinds = radios.filter { $0.isOn == isOn }.map { Printable.excerpt($0.kind) }
            return kinds.isEmpty ? nil : title + kinds.joined(separator: ", ")
        }
        let texts = [named(true, "on: "), named(nil, "on or off is unknown: ")].compactMap(\.self)
        guard texts.isEmpty else {
            return .warning(
                texts.joined(separator: "; "), risk,
                advice:
                    "run `rfkill block all`, or use the machine's radio switch; a machine without a radio is best"
            )
        }
        return .ok(
            radios.isEmpty ? "the kernel lists none" : "all off", "no radio that has a kernel driver is on")
    }

    // MARK: - other processes

    private var loadedObjects: Finding {
        let named = objects.foreign + preloaded.filter { !objects.foreign.contains($0) } + objects.variables
        let all = (named + (objects.isAudited ? [Words.auditLibrary] : [])).map { Printable.excerpt($0) }
        guard !all.isEmpty else { return .ok("none was found", "as far as the process itself can detect") }
        return .warning(
            all.joined(separator: ", "), "this code runs inside eosvault and can read every secret",
            advice:
                "if you did not load it, check LD_PRELOAD, LD_AUDIT, LD_LIBRARY_PATH and /etc/ld.so.preload")
    }

    private var tracing: Finding {
        return switch mayTraceOthers {
        case true?:
            .note(
                "a process can trace any other process of the same user",
                "only root can trace eosvault, but any program you run can trace your shell and your editor",
                advice: "run `sysctl kernel.yama.ptrace_scope=1`, and use this machine only for signing")
        case false?: .ok("a process can trace at most its child processes", "only root can trace eosvault")
        case nil:
            .note(
                "unknown whether a process can trace others of the same user",
                "only root can trace eosvault; other programs may be able to trace your shell and your editor"
            )
        }
    }

    private var virtualMachine: Finding {
        return switch isVirtual {
        case true?:
            .note(
                "this is a virtual machine", "its host can read all its memory and copy its disk",
                advice: "sign on a dedicated physical machine, or protect the host as well as this machine")
        case false?: .ok("none detected", "the processor reports no hypervisor; a hypervisor can hide")
        case nil:
            .note(
                "unknown whether this is a virtual machine",
                "the host of a virtual machine can read all its memory")
        }
    }

    // MARK: - the kernel

    private var sandboxing: Finding {
        let landlock = sandbox.landlockVersion.map { "Landlock \($0)" } ?? "no Landlock"
        let version = kernelVersion.map { "Linux \(Printable.excerpt($0))" } ?? "Linux"
        let text = "\(version) with \(sandbox.hasSeccomp ? "seccomp" : "no seccomp") and \(landlock)"
        guard sandbox.hasSeccomp, let landlockVersion = sandbox.landlockVersion else {
            return .warning(
                text,
                "a command keeps privileges that it does not need, which helps an attacker who exploits it",
                advice:
                    "use Linux 6.2 or newer with both enabled (CONFIG_SECCOMP_FILTER, and landlock in lsm=)")
        }
        let meaning = "a command drops the privileges it does not need before it reads a secret"
        guard landlockVersion < 3 else { return .ok(text, meaning) }
        return .note(
            text, "\(meaning), but Landlock before version 3 can't prevent truncation of files",
            advice: "use Linux 6.2 or newer")
    }

    private var addresses: Finding {
        let meaning = "random addresses make a vulnerability in a program harder to exploit"
        if hasFixedAddresses == true {
            return .warning(
                "not random in this process", meaning,
                advice: "start eosvault without `setarch -R`, and not from a debugger")
        }
        return switch hasFixedAddresses == nil && randomizesAddresses == true ? nil : randomizesAddresses {
        case true?: .ok("random", meaning)
        case false?:
            .warning(
                "not random, or only partly random", meaning,
                advice: "run `sysctl kernel.randomize_va_space=2`")
        case nil: .note("unknown whether they are random", meaning)
        }
    }

    private var randomness: Finding {
        guard !isRandomReady else { return .ok("the kernel's generator is ready", "it makes the new keys") }
        return .warning(
            "the kernel's generator is not ready", "a command that makes a key waits for it",
            advice: "type, move the mouse, and wait")
    }

    private var time: Finding {
        let shown = "\(Clock.text(clock.now)) UTC"
        let meaning = "eosvault uses it to check when a transaction expires and to date audit log records"
        if clock.isOff {
            return .warning(
                "\(shown), which is wrong", meaning,
                advice: "set it, for example with `date -u -s 2026-12-31T23:59:59`")
        }
        let start =
            hasBatteryClock == false
            ? "; this machine has no battery clock, so set the time after each start" : ""
        return switch clock.isSynchronised {
        case true?: .ok("\(shown), synchronised", meaning)
        case false?:
            .note("\(shown), not synchronised", meaning, advice: "compare it with a watch regularly\(start)")
        case nil: .note("\(shown); unknown whether it is synchronised", meaning)
        }
    }

    // MARK: - eosvault's own process

    private var permissions: Finding {
        let digits = String(inherited.umask, radix: 8)
        let text = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        let meaning = "only you can read the files of eosvault itself"
        guard inherited.umask & 0o077 != 0o077 else { return .ok(text, meaning) }
        return .note(
            text, "\(meaning); other users may be able to read files of other programs",
            advice: "put `umask 077` in your shell's profile")
    }

    private var build: Finding {
        let missing = missingProtections.map { protection in
            switch protection {
            case .randomAddress: "loaded at a fixed address"
            case .readOnlyRelocations: "relocations stay writable"
            case .bindingAtStart: "symbols are bound lazily"
            case .readOnlyCode: "code is writable or the stack is executable"
            case .noSearchPath: "a library search path (RPATH) is set"
            }
        }
        let version = "eosvault \(Eosvault.version)"
        guard !missing.isEmpty else {
            return .ok(
                "\(version), hardened", "position independent, read-only relocations, no writable code")
        }
        return .note(
            "\(version), not hardened: \(missing.joined(separator: ", "))",
            "a vulnerability in it is easier to exploit; a debug build is only for tests",
            advice: "run `make build`, then `make hardening` to check the result")
    }
}
