import CMemcheck
import Glibc
import KeyVault
import SecureMemory

/// A fault that valgrind must report.
struct Plant: Sendable {
    let name: String
    /// The start of valgrind's report.
    let report: String
    let body: @Sendable () throws -> Void

    init(_ name: String, seen report: String, _ body: @escaping @Sendable () throws -> Void) {
        self.name = name
        self.report = report
        self.body = body
    }
}

/// Faults planted on purpose. If valgrind did not report one of them, the absence of other reports
/// would prove nothing.
enum Plants {
    static let all = [
        Plant("nothing-secret", seen: "nothing") {
            let key = try SecureBytes(copyingPublic: "A".utf8)
            if key.withBytes({ $0[byte: 0] > 0x40 }) { sink(1) }
        },
        Plant("branch", seen: "Conditional jump") {
            let key = try secret("A")
            if key.withBytes({ $0[byte: 0] > 0x40 }) { sink(1) }
        },
        Plant("look-up", seen: "Use of uninitialised value") {
            let key = try secret("A")
            sink(key.withBytes { table[Int($0[byte: 0])] })
        },
        Plant("division", seen: "Conditional jump") {
            let key = try secret("A")
            sink(key.withBytes { UInt8(truncatingIfNeeded: 1_000_003 / UInt64($0[byte: 0])) })
        },
        Plant("loop", seen: "Conditional jump") {
            let key = try secret("A")
            sink(key.withBytes { span in (0..<span[byte: 0]).reduce(0) { work($0 ^ $1) } })
        },
        Plant("early-exit", seen: "Conditional jump") {
            let left = try secret("a key of many bytes")
            let right = try secret("a key of many bites")
            let same = left.withBytes { left in
                right.withBytes { right in
                    (0..<left.byteCount).allSatisfy { left[byte: $0] == right[byte: $0] }
                }
            }
            sink(same ? 1 : 0)
        },
        Plant("array-equality", seen: "Conditional jump") {
            let left = try secret("a mac of many bytes")
            let right = try secret("a mac of many bites")
            sink(array(left) == array(right) ? 1 : 0)
        },
        // The library itself marks these secrets: no case classifies the output of Argon2id or a
        // random key.
        Plant("derived-key", seen: "Conditional jump") {
            let method = try UnlockMethod.pinAndKeyFile(.random(), .random())
            _ = method.withStoredSecret { secret, _ in
                if secret.withBytes({ $0[byte: 0] > 0x67 }) { sink(1) }
            }
        },
        // A secret is passed to a system call.
        Plant("write", seen: "Syscall param write") {
            let key = try secret("not to be seen")
            _ = key.withBytes { span in
                unsafe span.withUnsafeBytes { unsafe write(devNull, $0.baseAddress, $0.count) }
            }
        },
    ]

    private static let devNull = unsafe open("/dev/null", O_WRONLY)
    private static let table = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 167) }

    private static func array(_ bytes: borrowing SecureBytes) -> [UInt8] {
        bytes.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }

    /// A call that the optimiser can't turn into arithmetic.
    @inline(never)
    private static func work(_ value: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: memcheck_opaque(UInt64(value)))
    }

    @inline(never)
    private static func sink(_ value: UInt8) { _ = memcheck_opaque(UInt64(value)) }
}
