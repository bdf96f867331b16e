import Codecs
import SecureMemory

/// The body that a client sends: from guarded memory to guarded memory.
extension UnlockSecret {
    package static func body(pin: borrowing SecureBytes) throws(SecureMemoryError) -> SecureBytes {
        var writer = try SecretWriter(count: pin.count)
        writer.add(plain: #"{"pin":""#)
        writer.add(text: pin)
        writer.add(plain: #""}"#)
        return writer.finish()
    }

    /// - Parameter keyFile: the bytes of the file.
    package static func body(
        pin: borrowing SecureBytes, keyFile: borrowing SecureBytes
    ) throws(SecureMemoryError) -> SecureBytes {
        var writer = try SecretWriter(count: pin.count + keyFile.count)
        writer.add(plain: #"{"pin":""#)
        writer.add(text: pin)
        writer.add(plain: #"","key_file":""#)
        writer.add(hexOf: keyFile)
        writer.add(plain: #""}"#)
        return writer.finish()
    }

    /// - Parameter words: of the recovery phrase.
    package static func body(recovery words: borrowing SecureBytes) throws(SecureMemoryError) -> SecureBytes {
        var writer = try SecretWriter(count: words.count)
        writer.add(plain: #"{"recovery":""#)
        writer.add(text: words)
        writer.add(plain: #""}"#)
        return writer.finish()
    }
}

/// Writes JSON with secrets.
private struct SecretWriter: ~Copyable {
    private var bytes: SecureBytes
    private var count = 0

    /// - Parameter count: of the bytes of all secrets.
    init(count: Int) throws(SecureMemoryError) {
        // An escape has six bytes, and all names take less than 64.
        bytes = try SecureBytes(count: 6 * count + 64)
    }

    mutating func add(plain text: StaticString) {
        var start = count
        bytes.withMutableBytes { target in
            for index in 0..<text.utf8CodeUnitCount {
                target[byte: start] = unsafe text.utf8Start[index]
                start += 1
            }
        }
        count = start
    }

    /// Adds the text of a JSON string.
    mutating func add(text secret: borrowing SecureBytes) {
        defer { wipeScratch() }
        count = Self.escape(secret, into: &bytes, at: count)
    }

    mutating func add(hexOf secret: borrowing SecureBytes) {
        defer { wipeScratch() }
        count = Self.encode(secret, into: &bytes, at: count)
    }

    consuming func finish() -> SecureBytes {
        bytes.truncate(to: count)
        return bytes
    }

    @inline(never)
    private static func encode(
        _ secret: borrowing SecureBytes, into bytes: inout SecureBytes, at start: Int
    ) -> Int {
        secret.withBytes { secret in
            bytes.withMutableBytes { target in
                for index in 0..<secret.byteCount {
                    target[byte: start + 2 * index] = Hex.digit(secret[byte: index] >> 4)
                    target[byte: start + 2 * index + 1] = Hex.digit(secret[byte: index] & 15)
                }
            }
        }
        return start + 2 * secret.count
    }

    /// Not inlined, so that its stack frame is below the caller's, where `wipeScratch` clears it.
    @inline(never)
    private static func escape(
        _ secret: borrowing SecureBytes, into bytes: inout SecureBytes, at start: Int
    ) -> Int {
        var end = start
        secret.withBytes { secret in
            bytes.withMutableBytes { target in
                for index in 0..<secret.byteCount {
                    let byte = secret[byte: index]
                    if byte < 0x20 {
                        for character in #"\u00"#.utf8 {
                            target[byte: end] = character
                            end += 1
                        }
                        target[byte: end] = Hex.digit(byte >> 4)
                        target[byte: end + 1] = Hex.digit(byte & 15)
                        end += 2
                        continue
                    }
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                        target[byte: end] = UInt8(ascii: "\\")
                        end += 1
                    }
                    target[byte: end] = byte
                    end += 1
                }
            }
        }
        return end
    }
}
