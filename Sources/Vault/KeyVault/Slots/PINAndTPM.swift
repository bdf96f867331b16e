import Files
import SecureMemory
import TPM

/// A PIN, and the TPM that seals the other half of a slot's secret (VaultFormat.md, "TPM").
///
/// The TPM releases its half only for a value that is derived from the PIN, and it limits how often
/// a wrong one is tried. It never gets the PIN. The half alone opens nothing.
package struct PINAndTPM: ~Copyable {
    let pin: PIN
    private let tpm: TPMDevice

    package init(_ pin: consuming PIN, _ tpm: consuming TPMDevice) {
        self.pin = pin
        self.tpm = tpm
    }

    /// - Parameter path: of the device.
    /// - Throws: `system` if it can't be opened; `tpm`.
    package init(_ pin: consuming PIN, tpmAt path: String) throws(VaultError) {
        let file: OpenFile
        do throws(FileError) { file = try OpenFile(device: path) } catch {
            throw .machine(.system(.open, errno: error.number))
        }
        do throws(TPMError) { self.init(pin, try TPMDevice(file)) } catch { throw .tpm(error) }
    }

    consuming func withPIN(_ pin: consuming PIN) -> PINAndTPM { PINAndTPM(pin, tpm) }

    /// - Parameter derived: the result of Argon2id.
    /// - Throws: `tpm`, `memory`.
    borrowing func secret(_ derived: borrowing SecureBytes, details: [UInt8]) throws(VaultError)
        -> SecureBytes
    {
        let authorization = try Self.authorization(derived)
        let half: SecureBytes
        do throws(TPMError) {
            half = try tpm.unseal(try SealedSecret(packed: details), authorization: authorization)
        } catch { throw .tpm(error) }
        return try Sodium.keyedSecret(of: Domain.tpm.bytes, derived, key: half)
    }

    borrowing func newSecret(
        _ derived: borrowing SecureBytes, _ registers: [Int]
    ) throws(VaultError) -> NewSlotSecret {
        let half = try Sodium.randomKey()
        let authorization = try Self.authorization(derived)
        let details: [UInt8]
        do throws(TPMError) {
            details = try tpm.seal(half, authorization: authorization, registers: registers).packed
        } catch { throw .tpm(error) }
        // The TPM must release what it sealed, before a vault depends on it.
        return NewSlotSecret(details: details, secret: try secret(derived, details: details))
    }

    /// The value that the TPM compares. It is derived from the result of Argon2id, so that a TPM
    /// that discloses it discloses no more about the PIN than the slot does.
    private static func authorization(_ derived: borrowing SecureBytes) throws(VaultError) -> SecureBytes {
        try Sodium.keyedSecret(of: Domain.tpmAuthorization.bytes, key: derived)
    }
}

extension SlotSecret {
    /// - Throws: `tpmHasSlot`.
    borrowing func expectNew(among states: [SlotTable.State]) throws(VaultError) {
        guard let tpm = SealedSecret.tpm(of: kind, details) else { return }
        for (number, state) in states.enumerated() {
            if case .sound(let slot, _) = state, SealedSecret.tpm(of: slot.kind, slot.details) == tpm {
                throw .input(.tpmHasSlot(number))
            }
        }
    }
}

extension SlotTable {
    /// A TPM counts the wrong PINs of all slots. No version of this program writes two slots of one
    /// TPM: they were planted, so that a right PIN locks it.
    /// - Throws: `manifestMismatch`.
    func expectOneSlotOfEachTPM() throws(VaultError) {
        var known: Set<[UInt8]> = []
        for (number, state) in states.enumerated() {
            guard case .sound(let slot, _) = state, let tpm = SealedSecret.tpm(of: slot.kind, slot.details),
                !known.insert(tpm).inserted
            else { continue }
            throw .integrity(.manifestMismatch(.bucket(.slots, number)))
        }
    }
}

extension SlotDescription {
    /// The registers of a slot with these details.
    static func registers(of kind: SlotKind, _ details: [UInt8]) -> [Int] {
        kind == .pinAndTPM ? (try? SealedSecret(packed: details).registers) ?? [] : []
    }
}

extension SealedSecret {
    /// The name of the TPM's primary key, which no other TPM has; nil for a slot without a TPM.
    fileprivate static func tpm(of kind: SlotKind, _ details: [UInt8]) -> [UInt8]? {
        kind == .pinAndTPM ? try? SealedSecret(packed: details).primaryName : nil
    }
}
