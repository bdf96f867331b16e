import Codecs

/// A selection of PCRs of the SHA-256 bank.
struct Registers: Equatable {
    /// In ascending order, without repetition.
    let numbers: [Int]

    /// - Throws: `invalidRegister`.
    init(_ numbers: [Int]) throws(TPMError) {
        let sorted = numbers.sorted()
        if let wrong = sorted.first(where: { !(0..<24).contains($0) }) { throw .invalidRegister(wrong) }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one == next { throw .invalidRegister(one) }
        self.numbers = sorted
    }

    /// - Parameter selection: 3 bytes, a bit for each PCR.
    init(selection: [UInt8]) {
        numbers = (0..<24).filter { selection[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
    }

    static func bits(of numbers: [Int]) -> [UInt8] {
        var bits: [UInt8] = [0, 0, 0]
        for number in numbers { bits[number / 8] |= 1 << UInt8(number % 8) }
        return bits
    }

    /// TPML_PCR_SELECTION (Part 2, 10.9.7) with one bank, SHA-256.
    static func selection(_ numbers: [Int]) -> [UInt8] { [0, 0, 0, 1, 0, 0x0b, 3] + bits(of: numbers) }

    static func readCommand(_ numbers: [Int]) -> TPMCommand {
        TPMCommand(code: .readRegisters, parameters: selection(numbers))
    }

    /// The values in the answer to TPM2_PCR_Read, in ascending order of the numbers. A TPM may
    /// return only the first ones.
    /// - Throws: `invalidAnswer`; `noRegisterBank` if it returns none.
    static func values(
        in parameters: [UInt8], of numbers: [Int]
    ) throws(TPMError) -> [(number: Int, value: [UInt8])] {
        let values = try TPMAnswer.read(parameters, of: .readRegisters) { reader throws(Malformed) in
            // The count of changes of PCRs.
            _ = try reader.number(UInt32.self)
            let banks = try reader.number(UInt32.self)
            guard banks <= 1 else { throw Malformed() }
            var returned: [Int] = []
            if banks == 1 {
                try reader.expect(0x000b as UInt16)
                let count = try Int(reader.number(UInt8.self))
                guard count <= 4 else { throw Malformed() }
                let bits = try reader.raw(count)
                returned = (0..<8 * count).filter { bits[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
            }
            guard returned.elementsEqual(numbers.prefix(returned.count)),
                try reader.number(UInt32.self) == returned.count
            else { throw Malformed() }
            var values: [(number: Int, value: [UInt8])] = []
            for number in returned { values.append((number, try reader.sized(32))) }
            return values
        }
        guard !values.isEmpty else { throw .noRegisterBank }
        return values
    }

    /// The digest of the values, one after another.
    /// - Throws: `noRegisterBank`.
    func digest(on connection: TPMConnection) throws(TPMError) -> [UInt8] {
        var (left, values) = (numbers, [UInt8]())
        while !left.isEmpty {
            let read = try Self.values(
                in: connection.run(Self.readCommand(left)).parameters, of: left)
            for each in read { values += each.value }
            left.removeFirst(read.count)
        }
        return HashFunction.sha256.hash(values)
    }

    /// The policy that requires these values and the authorization: TPM2_PolicyPCR, then
    /// TPM2_PolicyAuthValue (Part 3, 23.7 and 23.17). Each step hashes the digest before it.
    /// - Parameter digest: of the values.
    func policy(_ digest: [UInt8]) -> [UInt8] {
        var step = Packing()
        step.write(raw: [UInt8](repeating: 0, count: 32))
        step.write(TPMCommand.Code.policyRegisters.rawValue)
        step.write(raw: Self.selection(numbers))
        step.write(raw: digest)
        var next = Packing()
        next.write(raw: HashFunction.sha256.hash(step.bytes))
        next.write(TPMCommand.Code.policyAuthValue.rawValue)
        return HashFunction.sha256.hash(next.bytes)
    }
}
