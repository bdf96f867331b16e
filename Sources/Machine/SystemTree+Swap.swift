import CMachine
import Glibc

extension SystemTree {
    /// The swap in use; nil where it is unknown.
    public var swapAreas: [SwapArea]? {
        guard let lines = text("/proc/swaps")?.split(whereSeparator: \.isNewline),
            lines.first?.hasPrefix("Filename") == true
        else {
            return nil
        }
        return lines.dropFirst().map { line in
            let fields = line.split { $0 == " " || $0 == "\t" }
            let name = Self.unescaped(fields.first ?? "")
            let storage: Storage? =
                switch fields.dropFirst().first {
                case "partition": storage(ofDevice: name, depth: 0)
                case "file": storage(ofFile: name, size: fields.dropFirst(2).first.flatMap { UInt64($0) }, depth: 0)
                default: nil
                }
            return SwapArea(name: name, storage: storage ?? .unknown)
        }
    }

    /// Whether the machine can hibernate to its disk as it is now.
    public var hibernation: Hibernation {
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

    // MARK: - devices

    /// The maximum number of stacked devices; a deeper stack is a loop.
    private static let deepest = 16

    /// - Parameter path: a path below /dev.
    private func storage(ofDevice path: String, depth: Int) -> Storage? {
        guard path.hasPrefix("/dev/") else { return nil }
        var name = String(path.dropFirst("/dev/".count)).replacing("/", with: "!")
        if path.hasPrefix("/dev/mapper/") {
            // The entry is a link, and its name is also in dm/name.
            let mapped = path.dropFirst("/dev/mapper/".count)
            guard
                let device = names(in: "/sys/class/block")?.first(where: { name in
                    value("/sys/class/block/\(name)/dm/name").map { $0 == mapped } ?? false
                })
            else { return nil }
            name = device
        }
        return storage(ofBlockDevice: "/sys/class/block/\(name)", depth: depth)
    }

    /// - Parameter folder: the folder of the device below /sys.
    private func storage(ofBlockDevice folder: String, depth: Int) -> Storage? {
        guard depth < Self.deepest, let name = deviceName(folder) else { return nil }
        if let uuid = value("\(folder)/dm/uuid"), Self.isEncrypted(uuid) { return .encrypted }
        if name.hasPrefix("zram") {
            // zram may write pages that do not compress well to a backing device.
            guard let backing = value("\(folder)/backing_dev"), backing != "none" else { return .memory }
            return storage(ofDevice: backing, depth: depth + 1)
        }
        if name.hasPrefix("ram") { return .memory }
        if let below = names(in: "\(folder)/slaves"), !below.isEmpty {
            return worst(of: below.map { "/sys/class/block/\($0)" }, depth: depth)
        }
        if let file = value("\(folder)/loop/backing_file") { return storage(ofFile: file, size: nil, depth: depth + 1) }
        // ZFS volumes may be encrypted, and sysfs does not show it.
        if name.hasPrefix("zd") { return nil }
        // A partition is stored where its disk is, which may be on other devices. `..` is the
        // disk's folder, because the partition's folder is a link to one in it.
        if exists("\(folder)/partition") { return storage(ofBlockDevice: "\(folder)/..", depth: depth + 1) }
        return .plain
    }

    private func worst(of folders: [String], depth: Int) -> Storage? {
        folders.map { storage(ofBlockDevice: $0, depth: depth + 1) ?? .unknown }.max()
    }

    /// The kernel's name of a device; nil where it has none.
    private func deviceName(_ folder: String) -> Substring? {
        text("\(folder)/uevent")?.split(whereSeparator: \.isNewline).first { $0.hasPrefix("DEVNAME=") }?.dropFirst(
            "DEVNAME=".count)
    }

    /// Whether a device mapper target encrypts. dm-verity and dm-integrity also use libcryptsetup's
    /// prefix, but do not encrypt.
    private static func isEncrypted(_ uuid: String) -> Bool {
        uuid.hasPrefix("CRYPT-") && !uuid.hasPrefix("CRYPT-VERITY-") && !uuid.hasPrefix("CRYPT-INTEGRITY-")
    }

    // MARK: - files

    /// A file is stored where its file system is. The result is better than `unknown` only if the
    /// file that this process sees is the file in use.
    /// - Parameter size: how much of the file the kernel uses as swap, in KiB; nil where this is
    ///   unknown.
    private func storage(ofFile path: String, size: UInt64?, depth: Int) -> Storage? {
        guard depth < Self.deepest, let mount = mount(of: path) else { return nil }
        let storage = storage(ofFileOn: mount, depth: depth) ?? .unknown
        return isSeen(path, size: size, on: mount) ? storage : max(storage, .unknown)
    }

    private func storage(ofFileOn mount: Mount, depth: Int) -> Storage? {
        if mount.type == "btrfs" { return storage(ofBtrfsOn: mount.source, depth: depth) }
        // File systems on several devices, or on none, have a device number 0:N.
        if mount.device.hasPrefix("0:") { return storage(ofDevice: mount.source, depth: depth + 1) }
        return storage(ofBlockDevice: "/sys/dev/block/\(mount.device)", depth: depth + 1)
    }

    /// Whether the file at a path is the file that the kernel uses as swap. The path was resolved
    /// in the mounts at the time of swapon(2). This process may have different mounts, as in a
    /// container, and a later mount may hide the file.
    private func isSeen(_ path: String, size: UInt64?, on mount: Mount) -> Bool {
        guard let size, size < 1 << 50, let file = file(path), mount.isAlone, mount.identity == "\(file.mount)" else {
            return false
        }
        // The kernel uses all of the file except its first page, which is the header, and a last
        // incomplete page.
        let page = UInt64(clamping: getpagesize())
        return (size * 1024 + page..<size * 1024 + 2 * page).contains(file.size)
    }

    /// btrfs may store the bytes on any of its devices; the mount names only one of them.
    private func storage(ofBtrfsOn source: String, depth: Int) -> Storage? {
        guard let named = storage(ofDevice: source, depth: depth + 1) else { return nil }
        for system in names(in: "/sys/fs/btrfs") ?? [] {
            let folder = "/sys/fs/btrfs/\(system)/devices"
            let devices = names(in: folder) ?? []
            if devices.contains(where: { isDevice("\(folder)/\($0)", source) }) {
                return worst(of: devices.map { "\(folder)/\($0)" }, depth: depth)
            }
        }
        return named
    }

    private func isDevice(_ folder: String, _ path: String) -> Bool {
        guard let name = deviceName(folder) else { return false }
        return path == "/dev/\(name)" || value("\(folder)/dm/name").map { path == "/dev/mapper/\($0)" } ?? false
    }

    private struct Mount {
        var identity: Substring
        var point: String
        /// `8:2`
        var device: Substring
        var type: Substring
        var source: String
        /// Whether no other file system is mounted at this mount point.
        var isAlone = true
    }

    /// The mount that contains a path: the longest mount point above it, and the last mount at this
    /// point.
    private func mount(of path: String) -> Mount? {
        let all = text("/proc/self/mountinfo")?.split(whereSeparator: \.isNewline).compactMap(Self.mount) ?? []
        var best: Mount?
        for mount in all where path.hasPrefix(mount.point == "/" ? "/" : mount.point + "/") {
            guard mount.point.utf8.count >= best?.point.utf8.count ?? 0 else { continue }
            let isAlone = mount.point != best?.point
            best = mount
            best?.isAlone = isAlone
        }
        return best
    }

    /// `36 35 98:0 /root /point options [fields] - type source options` (proc(5))
    private static func mount(_ line: Substring) -> Mount? {
        let fields = line.split(separator: " ")
        guard let separator = fields.firstIndex(of: "-"), separator >= 6, fields.count > separator + 2 else {
            return nil
        }
        return Mount(
            identity: fields[0], point: unescaped(fields[4]), device: fields[2], type: fields[separator + 1],
            source: unescaped(fields[separator + 2]))
    }

    /// The kernel escapes spaces and some other characters in octal: `\040`.
    private static func unescaped(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count,
                let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 3)], as: UTF8.self), radix: 8)
            {
                result.append(byte)
                index += 4
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
