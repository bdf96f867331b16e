/// Where the kernel writes the memory of a process that crashes.
package enum CoreDumps: Equatable, Sendable {
    /// To a file with this name.
    case file(String)
    /// To the input of this program, regardless of resource limits.
    case program(String)
    case nothing
}

extension SystemTree {
    /// `6.1.0-18-amd64`
    package var kernelVersion: String? { value("/proc/sys/kernel/osrelease") }

    /// nil where the setting is unknown.
    package var coreDumps: CoreDumps? {
        value("/proc/sys/kernel/core_pattern").map { pattern in
            if pattern.hasPrefix("|") { return .program(String(pattern.dropFirst().prefix { $0 != " " })) }
            return pattern.isEmpty ? .nothing : .file(pattern)
        }
    }

    /// True if a process may trace other processes of the same user that are not its children. Yama
    /// forbids this unless its ptrace_scope is 0. A kernel without Yama allows it.
    package var mayTraceOthers: Bool? {
        guard exists("/proc/sys/kernel/yama") else { return exists("/proc/sys/kernel") ? true : nil }
        return number("/proc/sys/kernel/yama/ptrace_scope").flatMap { (0...3).contains($0) ? $0 == 0 : nil }
    }

    /// True if stacks, heaps and programs are at random addresses.
    package var randomizesAddresses: Bool? {
        number("/proc/sys/kernel/randomize_va_space").flatMap { (0...2).contains($0) ? $0 == 2 : nil }
    }

    /// True if the processor flags report a hypervisor. nil on processors other than x86, which
    /// have no such flag.
    package var isVirtual: Bool? {
        guard let lines = text("/proc/cpuinfo")?.split(whereSeparator: \.isNewline) else { return nil }
        guard let flags = lines.first(where: { $0.hasPrefix("flags") }) else { return nil }
        return flags.split { $0 == " " || $0 == "\t" }.contains("hypervisor")
    }

    /// True if there are signs that this is a container, which shows only part of the machine.
    package var isContained: Bool {
        if ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].contains(where: exists) {
            return true
        }
        // In a user namespace, other namespaces are likely. A kernel without user namespaces has no
        // such file.
        guard let users = words("/proc/self/uid_map") else { return false }
        return users != ["0", "0", "4294967295"]
    }

    /// The objects in /etc/ld.so.preload, which the dynamic linker loads into every program.
    package var preloadedObjects: [String] {
        let lines = text("/etc/ld.so.preload")?.split(whereSeparator: \.isNewline) ?? []
        return lines.flatMap { line in
            line.prefix { $0 != "#" }.split { " \t:".contains($0) }.map(String.init)
        }
    }

    /// True if a clock runs while the power is off; nil where this is unknown.
    package var hasBatteryClock: Bool? {
        names(in: "/sys/class/rtc").map { !$0.isEmpty }
    }
}
