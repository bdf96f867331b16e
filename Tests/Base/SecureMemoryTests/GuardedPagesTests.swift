import Glibc
import Testing

@testable import SecureMemory

/// Tests the access rights of the pages of a secret and around it.
struct GuardedPagesTests {
    /// The address of a secret. It has at least one byte.
    static func address(_ bytes: borrowing SecureBytes) -> UnsafeRawPointer {
        bytes.withBytes { span in span.withUnsafeBytes { $0.baseAddress.unsafelyUnwrapped } }
    }

    /// Reads a byte so that the optimiser can't remove the read.
    static func read(_ address: UnsafeRawPointer) -> Int32 { Int32(address.load(as: UInt8.self)) & 0 }

    struct Mapping {
        let access: Substring
        let flags: [Substring]

        /// The mapping of this process that contains an address, from `smaps` (proc(5)).
        init(of address: UnsafeRawPointer) throws {
            let address = UInt(bitPattern: address)
            var access: Substring?
            for line in try Self.all().split(separator: "\n") {
                let words = line.split(separator: " ")
                let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if ends.count == 2 { access = ends[0] <= address && address < ends[1] ? words[1] : nil }
                guard let access, words[0] == "VmFlags:" else { continue }
                self.access = access
                flags = Array(words.dropFirst())
                return
            }
            throw Missing()
        }

        struct Missing: Error {}

        private static func all() throws -> String {
            let file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(file, &part, part.count)
                guard count >= 0 else { throw Missing() }
                if count == 0 { return String(decoding: bytes, as: UTF8.self) }
                bytes += part[..<count]
            }
        }
    }

    /// The pages are no-access unless lent, and read-only while lent for reading, also to nested
    /// readers. They are no-access again after an error.
    @Test(arguments: [1, 32, 4_096, 20_000])
    func isAccessibleOnlyWhileLent(count: Int) throws {
        struct Thrown: Error {}
        var bytes = try SecureBytes(count: count)
        let address = Self.address(bytes)
        #expect(try Mapping(of: address).access == "---p")
        let read = try bytes.withBytes { _ throws in
            [
                try Mapping(of: address).access,
                try bytes.withBytes { _ throws in try Mapping(of: address).access },
                try Mapping(of: address).access,
            ]
        }
        #expect(read == ["r--p", "r--p", "r--p"])
        #expect(try Mapping(of: address).access == "---p")
        let written = try bytes.withMutableBytes { _ throws in try Mapping(of: address).access }
        #expect(written == "rw-p")
        #expect(throws: Thrown.self) { try bytes.withMutableBytes { _ in throw Thrown() } }
        #expect(try Mapping(of: address).access == "---p")
        #expect(throws: Thrown.self) { try bytes.withBytes { _ in throw Thrown() } }
        #expect(try Mapping(of: address).access == "---p")
        bytes.truncate(to: 0)
        let isEqual = bytes.isEqual(to: try SecureBytes(count: 0))
        #expect(isEqual)
        #expect(try Mapping(of: address).access == "---p")
    }

    /// The first and the last byte are locked, not dumped, and wiped in a child (proc(5): lo, dd,
    /// wf).
    @Test(arguments: [1, 4_096, 20_000])
    func isLockedNotDumpedAndNotInherited(count: Int) throws {
        let bytes = try SecureBytes(count: count)
        for offset in [0, count - 1] {
            let flags = try Mapping(of: Self.address(bytes) + offset).flags
            for wanted in ["lo", "dd", "wf"] { #expect(flags.contains(Substring(wanted)), "\(wanted)") }
        }
    }

    /// The page after the last byte is no-access. The secret's own pages are no-access while they
    /// are not lent and after their owner's end. While they are lent for reading, they can't be
    /// written.
    @Test func accessOutsideALendingEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let bytes = try SecureBytes(count: 32)
            exit(bytes.withBytes { _ in Self.read(Self.address(bytes) + 32) })
        }
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let bytes = try SecureBytes(count: 32)
            let status = Self.read(Self.address(bytes))
            exit(status + Int32(bytes.count) & 0)
        }
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let bytes = try SecureBytes(count: 32)
            bytes.withBytes { _ in
                UnsafeMutableRawPointer(mutating: Self.address(bytes)).storeBytes(of: 1, as: UInt8.self)
            }
            exit(0)
        }
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            func start() throws -> UnsafeRawPointer { try Self.address(SecureBytes(count: 32)) }
            exit(Self.read(try start()))
        }
        // An allowed access exits normally, which shows that the processes above end by their last
        // step.
        await #expect(processExitsWith: .exitCode(0)) {
            let bytes = try SecureBytes(count: 32)
            exit(bytes.withBytes { _ in Self.read(Self.address(bytes) + 31) })
        }
    }

    /// Where memory can't be locked, this is reported, and the memory is still usable.
    @Test func reportsMemoryThatIsNotLocked() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Root may lock memory beyond the limit (CAP_IPC_LOCK is 14), so the process drops
            // root.
            if geteuid() == 0 { guard setuid(65_534) == 0 else { exit(1) } }
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            guard setrlimit(__rlimit_resource_t(8), &none) == 0, SecureBytes.allAreLocked else { exit(2) }
            let bytes = try SecureBytes(copyingPublic: [3, 4])
            let sum = bytes.withBytes { Int32($0[byte: 0]) + Int32($0[byte: 1]) }
            exit(SecureBytes.allAreLocked ? 3 : sum)
        }
    }

    @Test func locksMemoryHere() throws {
        _ = try SecureBytes(count: 32).count
        #expect(SecureBytes.allAreLocked)
    }
}
