/// Reads an answer as the answer to a command, without a TPM: for the test of all parsers.
package enum TPMAnswerCheck {
    package static let kinds = 0..<9

    /// - Parameters:
    ///   - bytes: the whole answer.
    ///   - kind: one of `kinds`, for the command; others are taken for the last one.
    /// - Returns: true if it is refused; the number of values in it.
    package static func read(_ bytes: [UInt8], kind: Int) -> (isRefused: Bool, values: Int) {
        do {
            return (false, try values(bytes, kind))
        } catch { return (true, 0) }
    }

    private static func values(_ bytes: [UInt8], _ kind: Int) throws(TPMError) -> Int {
        switch kind {
        case 0:
            let answer = try TPMAnswer(bytes, to: Capability.familyCommand)
            let values = try Capability.properties(in: answer.parameters)
            _ = (Capability.facts(in: values)?.firmware, Capability.lockout(in: values)?.triesLeft)
            return values.count
        case 1:
            let command = Capability.command(.handles, from: 0x8000_0000, count: 64)
            return try Capability.handles(in: TPMAnswer(bytes, to: command).parameters, atMost: 64).count
        case 2: return try StorageKey(TPMAnswer(bytes, to: StorageKey.command)).point.count
        case 3:
            let sensitive = [UInt8](repeating: 0, count: 68)
            var command = SealedObject.createCommand(parent: 0, policy: [], sensitive)
            command.authorization = []
            let answer = try TPMAnswer(bytes, to: command)
            _ = try SessionProof(answer.authorization, of: .create)
            return try SealedObject.areas(in: answer.parameters, policy: []).private.isEmpty ? 0 : 1
        case 4, 5:
            let numbers = kind == 4 ? [0] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 23]
            let answer = try TPMAnswer(bytes, to: Registers.readCommand(numbers))
            return try Registers.values(in: answer.parameters, of: numbers).count
        case 6:
            let command = TPMSession.command(.policy, 0, [UInt8](repeating: 0, count: 64), [])
            return try TPMSession.nonce(in: TPMAnswer(bytes, to: command).parameters).count
        case 7:
            let command = TPMCommand(code: .load, authorization: TPMCommand.emptyPassword)
            return try SealedObject.name(in: TPMAnswer(bytes, to: command).parameters, of: []).count
        default:
            let answer = try TPMAnswer(bytes, to: TPMCommand(code: .unseal, authorization: []))
            return try SessionProof(answer.authorization, of: .unseal).nonce.count
        }
    }
}
