import Glibc
import Testing

@testable import SecureMemory

/// What the pages around and under a secret let through, and when.
struct GuardedPagesTests {
    /// Where a secret is; there is one byte at least.
    static func address(_ bytes: borrowing SecureBytes) -> UnsafeRawPointer {
        bytes.withBytes { span in span.withUnsafeBytes { $0.baseAddress.unsafelyUnwrapped } }
    }

    /// Reads a byte in a way that is not left out.
    static func read(_ address: UnsafeRawPointer) -> Int32 { Int32(address.load(as: UInt8.self)) & 0 }

    struct Mapping {
        let access: Substring
        let flags: [Substring]

        /// The mapping of this process that an address is in, as proc(5) gives it in `smaps`.
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

    /// No-access unless lent, read-only while lent for reading, also to several; and so again after
    /// an error.
    @Test(arguments: [1, 32, 4_096, 20_000])
    func isOpenOnlyWhileLent(count: Int) throws {
        struct Thrown: Error {}
        var bytes = try SecureBytes(count: count)
        let address = Self.address(bytes)
        #expect(try Mapping(of: address).access == "---p")
        let read = try bytes.withBytes { _ throws in
            [
                try Mapping(of: address).access, try bytes.withBytes { _ throws in try Mapping(of: address).access },
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

    /// Locked, not dumped, wiped in a child, from its first to its last byte (proc(5): lo, dd, wf).
    @Test(arguments: [1, 4_096, 20_000])
    func isLockedNotDumpedAndNotInherited(count: Int) throws {
        let bytes = try SecureBytes(count: count)
        for offset in [0, count - 1] {
            let flags = try Mapping(of: Self.address(bytes) + offset).flags
            for wanted in ["lo", "dd", "wf"] { #expect(flags.contains(Substring(wanted)), "\(wanted)") }
        }
    }

    /// The page behind the last byte is no-access, and so is that of the secret when nobody has it
    /// and when its owner is gone; while it is lent for reading it can't be written.
    @Test func whatGoesBeyondEndsTheProcess() async {
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
        // What may be done ends as it should: the others end by their last step.
        await #expect(processExitsWith: .exitCode(0)) {
            let bytes = try SecureBytes(count: 32)
            exit(bytes.withBytes { _ in Self.read(Self.address(bytes) + 31) })
        }
    }

    /// Where nothing may be locked that is told, and the memory works all the same.
    @Test func tellsWhatIsNotLocked() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Who may lock what the limit forbids (CAP_IPC_LOCK is 14) gives that up.
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
