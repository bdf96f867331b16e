extension SystemTree {
    /// The swap in use; nil where it is unknown.
    package var swapAreas: [SwapArea]? {
        guard let lines = text("/proc/swaps")?.split(whereSeparator: \.isNewline),
            lines.first?.hasPrefix("Filename") == true
        else {
            return nil
        }
        return lines.dropFirst().map { line in
            let fields = line.split { $0 == " " || $0 == "\t" }
            let name = String(fields.first ?? "")
            let isDevice = fields.dropFirst().first == "partition" && name.hasPrefix("/dev/")
            return SwapArea(
                name: name,
                storage: isDevice ? storage(ofDevice: String(name.dropFirst("/dev/".count))) : .unknown)
        }
    }

    /// The current ability of the machine to hibernate to its disk.
    package var hibernation: Hibernation {
        guard let states = words("/sys/power/state") else { return .unknown }
        guard states.contains("disk") else { return .impossible }
        // A locked-down kernel reports `[disabled]` here.
        guard let ways = words("/sys/power/disk") else { return .unknown }
        if ways.contains("[disabled]") { return .impossible }
        guard let areas = swapAreas else { return .unknown }
        // The kernel can't hibernate to swap in memory (zram).
        guard let worst = areas.map(\.storage).filter({ $0 != .memory }).max() else { return .withoutSwap }
        return .possible(worst)
    }

    /// A swap file is not traced to its disk: its path may lead to another file in a container, and
    /// the advice is the same.
    private func storage(ofDevice name: String) -> Storage {
        let folder = "/sys/class/block/\(name)"
        if name.hasPrefix("zram"), name.dropFirst(4).allSatisfy(\.isNumber), exists(folder) {
            // zram may write pages that do not compress well to a backing device.
            return value("\(folder)/backing_dev").map { $0 == "none" } ?? true ? .memory : .unknown
        }
        return isEncrypted(name, depth: 0) ? .encrypted : .unknown
    }

    /// True if dm-crypt encrypts a device, or every device below it, as for LVM on LUKS.
    private func isEncrypted(_ name: String, depth: Int) -> Bool {
        // dm-verity and dm-integrity also use libcryptsetup's prefix, but do not encrypt.
        let notEncrypting = ["CRYPT-VERITY-", "CRYPT-INTEGRITY-"]
        if let uuid = value("/sys/class/block/\(name)/dm/uuid"), uuid.hasPrefix("CRYPT-"),
            !notEncrypting.contains(where: uuid.hasPrefix)
        {
            return true
        }
        // A deeper stack of devices is a loop.
        guard depth < 16, let below = names(in: "/sys/class/block/\(name)/slaves"), !below.isEmpty else {
            return false
        }
        return below.allSatisfy { isEncrypted($0, depth: depth + 1) }
    }
}
