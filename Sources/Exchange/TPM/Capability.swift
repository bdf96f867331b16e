/// TPM2_GetCapability (Part 3, 30.2).
enum Capability {
    /// TPM_CAP (Part 2, 6.12).
    enum Kind: UInt32 {
        case handles = 1
        case properties = 6
    }

    static func command(_ kind: Kind, from first: UInt32, count: UInt32) -> TPMCommand {
        var parameters = Packing()
        parameters.write(kind.rawValue)
        parameters.write(first)
        parameters.write(count)
        return TPMCommand(code: .getCapability, parameters: parameters.bytes)
    }

    /// - Parameter most: how many handles were requested.
    /// - Throws: `invalidAnswer`.
    static func handles(in parameters: [UInt8], atMost most: UInt32) throws(TPMError) -> [UInt32] {
        try TPMAnswer.read(parameters, of: .getCapability) { reader throws(Malformed) in
            let count = try readCount(.handles, &reader)
            guard count <= most else { throw Malformed() }
            var handles: [UInt32] = []
            for _ in 0..<count { handles.append(try reader.number(UInt32.self)) }
            return handles
        }
    }

    /// The values by their number.
    /// - Throws: `invalidAnswer`.
    static func properties(in parameters: [UInt8]) throws(TPMError) -> [UInt32: UInt32] {
        try TPMAnswer.read(parameters, of: .getCapability) { reader throws(Malformed) in
            let count = try readCount(.properties, &reader)
            var values: [UInt32: UInt32] = [:]
            for _ in 0..<count {
                let number = try reader.number(UInt32.self)
                guard try values.updateValue(reader.number(UInt32.self), forKey: number) == nil else {
                    throw Malformed()
                }
            }
            return values
        }
    }

    private static func readCount(
        _ kind: Kind, _ reader: inout Unpacking
    ) throws(Malformed) -> UInt32 {
        // 1 if the TPM has more values.
        guard try reader.number(UInt8.self) <= 1 else { throw Malformed() }
        try reader.expect(kind.rawValue)
        let count = try reader.number(UInt32.self)
        // More do not fit into an answer.
        guard count <= 1024 else { throw Malformed() }
        return count
    }

    // MARK: what properties mean (Part 2, 6.13)

    static let familyCommand = command(.properties, from: 0x100, count: 32)

    /// - Returns: nil if the values are not of a TPM 2.0.
    static func facts(in values: [UInt32: UInt32]) -> TPMFacts? {
        // TPM_PT_FAMILY_INDICATOR is "2.0" and a zero byte.
        guard values[0x100] == 0x322e_3000, let manufacturer = values[0x105] else { return nil }
        let (high, low) = (values[0x10b] ?? 0, values[0x10c] ?? 0)
        return TPMFacts(
            manufacturer: text([manufacturer]), model: text((0x106...0x109).compactMap { values[$0] }),
            firmware: "\(high >> 16).\(high & 0xffff).\(low >> 16).\(low & 0xffff)")
    }

    static let lockoutCommand = command(.properties, from: 0x200, count: 64)

    /// - Returns: nil if a value is missing.
    static func lockout(in values: [UInt32: UInt32]) -> TPMLockout? {
        guard let flags = values[0x200], let failed = values[0x20e], let most = values[0x20f],
            let interval = values[0x210], let recovery = values[0x211]
        else { return nil }
        return TPMLockout(
            failedTries: Int(failed), maximumTries: Int(most), secondsPerTry: Int(interval),
            recoverySeconds: Int(recovery), isLockedOut: flags & 1 << 9 != 0,
            isResettable: flags & 1 << 2 == 0)
    }

    /// The printable ASCII characters, without spaces at the ends.
    private static func text(_ values: [UInt32]) -> String {
        let characters = values.flatMap { value in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
        }.filter { (0x20..<0x7f).contains($0) }
        let trimmed = characters.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        return String(decoding: trimmed, as: UTF8.self)
    }
}
