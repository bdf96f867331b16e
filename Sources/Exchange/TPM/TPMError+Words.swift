import Messages
import SecureMemory

extension TPMError: WordedError {
    package var words: Words {
        switch self {
        case .noTPM:
            Words(
                .noDevice, "the device is not a TPM 2.0",
                hint: "check the path; `ls /dev/tpmrm*` lists the TPMs of this machine")
        case .gone:
            Words(
                .deviceFailed, "the TPM ended the connection or its device reports an error",
                hint: "try again; if it fails again, restart this machine")
        case .timedOut: Words(.deviceFailed, "the TPM did not answer in time")
        case .cancelled:
            Words(
                .deviceFailed, "the wait for the TPM ended because this program ends",
                hint: "run the command again")
        case .notStarted:
            Words(
                .deviceFailed, "the TPM is not started",
                hint:
                    "restart this machine: its firmware starts the TPM; or send TPM2_Startup with a TPM tool")
        case .invalidAnswer(let command):
            Words(.deviceFailed, "the TPM's answer to \(command) is invalid")
        case .refused(let code, let command):
            Words(.deviceFailed, "the TPM refused \(command): error 0x\(String(code, radix: 16))")
        case .busy: Words(.deviceFailed, "the TPM is busy", hint: "wait a minute, then try again")
        case .noMemory:
            Words(
                .deviceFailed, "other programs use all memory of the TPM",
                hint: "use /dev/tpmrm0 instead of /dev/tpm0, or close other programs that use the TPM")
        case .ownerPassword:
            Words(
                .deviceFailed, "the TPM's owner hierarchy has a password",
                hint: "remove the password, for example with `tpm2_changeauth -c owner -p file:FILE`")
        case .memory(let error): error.words
        default: wordsOfSecret
        }
    }

    private var wordsOfSecret: Words {
        switch self {
        case .wrongAuthorization(let lockout):
            Words(
                .wrongPIN, "wrong PIN\(lockout.textAfterFailure)",
                hint: lockout.triesLeft > 0 ? "check Caps Lock and the keyboard layout" : lockout.advice)
        case .lockedOut(let lockout): Words(.tpmLocked, hint: lockout.advice)
        case .otherTPM:
            Words(
                .otherDevice, "the secret was sealed by another TPM, or the TPM was cleared since",
                hint: "use another unlock method; then remove the slot, and add it again")
        case .registersChanged(let numbers):
            Words(
                .tpmRegisters,
                "at least one of the registers (PCRs) \(Self.list(numbers)) has another value than when the slot "
                    + "was made",
                hint:
                    "use another unlock method; find out what changed, then remove the slot and add it again")
        case .invalidBlob: Words(.damaged, "the bytes are not a secret that a TPM sealed")
        case .damagedBlob: Words(.damaged, "the TPM says that the sealed secret was changed")
        case .noRegisterBank:
            Words(
                .tpmRegisters, "the TPM has no SHA-256 values of its PCRs",
                hint: "enable the SHA-256 bank in the firmware's settings, or omit --tpm-registers")
        case .invalidRegister(let number):
            Words(
                .usage, "\(number) is not the number of a PCR, or occurs twice",
                hint: "use different numbers from 0 to 23")
        default: Words(.deviceFailed)
        }
    }

    private static func list(_ numbers: [Int]) -> String {
        numbers.map { "\($0)" }.joined(separator: ", ")
    }
}

extension TPMLockout {
    /// `; 3 tries left`.
    fileprivate var textAfterFailure: String {
        if triesLeft == 0 { return ", and the TPM is locked now" }
        return "; the TPM accepts \(Words.count(triesLeft, "more wrong PIN"))"
    }

    fileprivate var advice: String {
        guard let seconds = secondsUntilTry else {
            return
                "set the limits with `tpm2_dictionarylockout --setup-parameters`, then reset the count with "
                + "`--clear-lockout`; or use another unlock method"
        }
        return "wait \(Words.wait(seconds)) for one more try, or use another unlock method"
    }

}

extension Words {
    /// `45 seconds`, `10 minutes`, `2 hours`: rounded up.
    package static func wait(_ seconds: Int) -> String {
        if seconds <= 120 { return count(seconds, "second") }
        if seconds <= 7200 { return count((seconds + 59) / 60, "minute") }
        return count((seconds + 3599) / 3600, "hour")
    }
}
