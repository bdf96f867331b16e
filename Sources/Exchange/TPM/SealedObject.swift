/// The object of a TPM in which a secret is sealed.
struct SealedObject {
    let handle: UInt32
    let name: [UInt8]

    /// TPM2_Create (Part 3, 12.1).
    /// - Parameter sensitive: the encrypted authorization and secret.
    static func createCommand(parent: UInt32, policy: [UInt8], _ sensitive: [UInt8]) -> TPMCommand {
        var area = Packing()
        area.write(raw: SealedArea.template(policy: policy))
        // The TPM makes the last field.
        area.write(0 as UInt16)
        var parameters = Packing()
        parameters.write(sized: sensitive)
        parameters.write(sized: area.bytes)
        // No outside information, and no PCR in the certificate of the creation.
        parameters.write(raw: [0, 0, 0, 0, 0, 0])
        return TPMCommand(code: .create, handles: [parent], parameters: parameters.bytes)
    }

    /// The areas in the answer to TPM2_Create.
    /// - Throws: `invalidAnswer` if the public area is not the one that was asked for.
    static func areas(
        in parameters: [UInt8], policy: [UInt8]
    ) throws(TPMError) -> (public: [UInt8], private: [UInt8]) {
        try TPMAnswer.read(parameters, of: .create) { reader throws(Malformed) in
            let privateArea = try reader.sized()
            let publicArea = try reader.sized()
            guard try SealedArea(publicArea).policy == policy else { throw Malformed() }
            try skipCreationData(&reader)
            return (publicArea, privateArea)
        }
    }

    /// TPM2_Load (Part 3, 12.2). The storage key has no authorization.
    /// - Throws: `damagedBlob` if the TPM did not make the areas, or if they were changed.
    static func load(
        _ sealed: SealedSecret, parent: UInt32, on connection: TPMConnection
    ) throws(TPMError) -> SealedObject {
        var parameters = Packing()
        parameters.write(sized: sealed.privateArea)
        parameters.write(sized: sealed.publicArea)
        let command = TPMCommand(
            code: .load, handles: [parent], authorization: TPMCommand.emptyPassword,
            parameters: parameters.bytes)
        let answer: TPMAnswer
        do { answer = try connection.run(command) } catch {
            // TPM_RC_INTEGRITY, TPM_RC_SIZE and others about a parameter.
            throw error.responseCode?.isAboutParameter == true ? .damagedBlob : error
        }
        return SealedObject(
            handle: answer.handle, name: try name(in: answer.parameters, of: sealed.publicArea))
    }

    /// - Throws: `invalidAnswer` if the TPM computed another Name.
    static func name(in parameters: [UInt8], of publicArea: [UInt8]) throws(TPMError) -> [UInt8] {
        let name = ObjectName.name(of: publicArea)
        return try TPMAnswer.read(parameters, of: .load) { reader throws(Malformed) in
            guard try reader.sized(StorageKey.nameCount) == name else { throw Malformed() }
            return name
        }
    }
}

extension SealedSecret {
    /// True if the object requires exactly this policy.
    func hasPolicy(_ policy: [UInt8]) -> Bool { (try? SealedArea(publicArea))?.policy == policy }
}

extension Registers {
    /// Runs the steps of the policy in a session.
    /// - Parameter digest: of the values of the PCRs.
    func satisfyPolicy(
        _ digest: [UInt8], session: UInt32, on connection: TPMConnection
    ) throws(TPMError) {
        var parameters = Packing()
        parameters.write(sized: digest)
        parameters.write(raw: Self.selection(numbers))
        _ = try connection.run(
            TPMCommand(code: .policyRegisters, handles: [session], parameters: parameters.bytes))
        _ = try connection.run(TPMCommand(code: .policyAuthValue, handles: [session]))
    }
}
