/// What becomes of the memory of a process that crashes.
package enum CoreDumps: Equatable, Sendable {
    /// A file of this name.
    case file(String)
    /// A program gets it, whatever the limits say.
    case program(String)
    case nothing
}

extension SystemTree {
    /// `6.1.0-18-amd64`
    package var kernelVersion: String? { value("/proc/sys/kernel/osrelease") }

    /// nil where that can't be told.
    package var coreDumps: CoreDumps? {
        value("/proc/sys/kernel/core_pattern").map { pattern in
            if pattern.hasPrefix("|") { return .program(String(pattern.dropFirst().prefix { $0 != " " })) }
            return pattern.isEmpty ? .nothing : .file(pattern)
        }
    }

    /// Whether a process may look into others of the same user, without being their parent (Yama's
    /// ptrace_scope is 0, or there is no Yama).
    package var mayTraceOthers: Bool? {
        guard exists("/proc/sys/kernel/yama") else { return exists("/proc/sys/kernel") ? true : nil }
        return number("/proc/sys/kernel/yama/ptrace_scope").flatMap { (0...3).contains($0) ? $0 == 0 : nil }
    }

    /// Whether stacks, heaps and programs lie at random addresses.
    package var randomizesAddresses: Bool? {
        number("/proc/sys/kernel/randomize_va_space").flatMap { (0...2).contains($0) ? $0 == 2 : nil }
    }

    /// Whether the processor says that a hypervisor runs it. On other processors than x86 none says
    /// so.
    package var isVirtual: Bool? {
        guard let lines = text("/proc/cpuinfo")?.split(whereSeparator: \.isNewline) else { return nil }
        guard let flags = lines.first(where: { $0.hasPrefix("flags") }) else { return nil }
        return flags.split { $0 == " " || $0 == "\t" }.contains("hypervisor")
    }

    /// Whether there are signs that this is a container, whose view of the machine is not all of
    /// it.
    package var isContained: Bool {
        if ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].contains(where: exists) { return true }
        // Where there is a user namespace, other ones are likely; a kernel without them has no such
        // file.
        guard let users = words("/proc/self/uid_map") else { return false }
        return users != ["0", "0", "4294967295"]
    }

    /// What /etc/ld.so.preload has the dynamic linker load into every program.
    package var preloadedObjects: [String] {
        let lines = text("/etc/ld.so.preload")?.split(whereSeparator: \.isNewline) ?? []
        return lines.flatMap { line in line.prefix { $0 != "#" }.split { " \t:".contains($0) }.map(String.init) }
    }

    /// Whether a clock goes on while the power is off; nil where that can't be told.
    package var hasBatteryClock: Bool? {
        names(in: "/sys/class/rtc").map { !$0.isEmpty }
    }
}
