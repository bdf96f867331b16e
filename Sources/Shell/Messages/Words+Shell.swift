import Glibc
import Hardening
import SecureMemory

extension ProcessError: WordedError {
    package var words: Words {
        switch self {
        case .secretArgument: Words(.secretArgument)
        case .argumentNotUTF8(let index):
            Words(
                .usage, "argument \(index) is not UTF-8",
                hint: "if the argument is a file name, rename the file")
        case .readableProcess: .readableProcess
        case .smallStack(let limit, let least):
            Words(
                .notEnoughMemory, "the stack limit is \(limit >> 10) KiB; \(least >> 10) KiB are needed",
                hint: "run `ulimit -s 8192`, or ask the administrator to raise the limit")
        }
    }
}

extension InputFile.Failure: WordedError {
    package var words: Words {
        switch self {
        case .missing: Words(.noSuchFile, "no such file")
        case .directory: Words(.notAFile, "is a folder", hint: "give a file in that folder")
        case .unreadable(let number): Words(.inputOutput, "can't be read: \(systemMessage(number))")
        case .empty: Words(.empty, "is empty")
        case .terminal:
            Words(
                .noTerminal, "is a terminal, which would show what is typed",
                hint: "omit this file; the program then asks for the text and hides it")
        case .noVectors:
            Words(
                .wrongFile, "contains no .json file",
                hint: "Vectors/README.md describes the format of test vectors")
        case .vault: Words(.vaultFile, "is a vault or a backup; `eosvault backup verify` verifies it")
        case .writableByOthers(let mode):
            Words(
                .permissions, "other users can modify it (mode \(String(mode, radix: 8)))",
                hint: "check its contents, then run `chmod 600` on it")
        case .notOwned(let owner):
            Words(
                .permissions, "user id \(owner) owns it and can modify it",
                hint: "copy it to a file that you own, with mode 600")
        case .tooLong(let limit):
            Words(
                .tooLarge,
                limit >= 1 << 20 ? "has more than \(limit >> 20) MiB" : "has more than \(limit) bytes")
        case .pipeTooLong(let limit):
            Words(
                .tooLarge, "is a pipe with more than \(limit >> 20) MiB, and its lines are read twice",
                hint: "write the lines to a file, and give its name or redirect standard input from it")
        case .memory(let error): error.words
        }
    }
}

extension Output.Failure: WordedError {
    package var words: Words {
        switch self {
        case .unwritable(ENOENT):
            Words(
                .inputOutput, "can't be written: \(systemMessage(ENOENT))",
                hint: "make its folder first, or name another file")
        case .unwritable(EPIPE):
            Words(
                .inputOutput, "can't be written: \(systemMessage(EPIPE))",
                hint: "check the command that reads the output")
        case .unwritable(let number): Words(.inputOutput, "can't be written: \(systemMessage(number))")
        case .incomplete(let number, let isRemoved): .incompleteFile(errno: number, isRemoved: isRemoved)
        case .exists: Words(.exists, "already exists", hint: "nothing is overwritten; name another file")
        case .reserved: .reservedName
        }
    }
}

extension Undelivered: WordedError {
    package var words: Words {
        let cause = Words(for: cause)
        return switch result {
        case .signature:
            Words(
                .notDelivered, "\(cause.message); the signature was made but not delivered",
                hint: "run the same command again with a working output: it makes the same signature "
                    + "(for a signing request, give --expires with the time of the review); \(cause.hint)"
            )
        case .signatures:
            Words(
                .notDelivered, "\(cause.message); some signatures were made but not delivered",
                hint: "run the same command again with a working output: it makes the same signatures; "
                    + cause.hint)
        case .request(let bodyFile, let hasNonce):
            Words(
                .notDelivered, "\(cause.message); the request was signed but not delivered",
                hint: (bodyFile.map { "delete \(Printable.line($0)), then " } ?? "")
                    + "run the same command again\(hasNonce ? ", without --nonce," : "") with a working output: "
                    + "it makes a new signature; \(cause.hint)")
        case .secret:
            Words(
                .notDelivered,
                "\(cause.message); the log records the export, but the secret was not delivered",
                hint: "run the same command again with a working output; \(cause.hint)")
        case .privateKey, .wallet:
            Words(
                .notDelivered, "\(cause.message); the log records the export, but the key was not delivered",
                hint: "run the same command again with a working output; \(cause.hint)")
        }
    }
}

extension Terminal.Failure: WordedError {
    package var words: Words {
        switch self {
        case .missing(let wanted):
            Words(.noTerminal, "can't ask for \(wanted.text): there is no terminal", hint: wanted.hint)
        case .closed(let wanted):
            Words(
                .noAnswer, "the terminal was closed before you answered",
                hint: wanted.map { "nothing was done; in a script, \($0.hint)" })
        case .tooLong(let limit): Words(.tooLarge, "the answer has more than \(limit) bytes")
        case .memory(let error): error.words
        case .typedAhead:
            Words(
                .noAnswer, "the question was not asked: input kept arriving at the terminal for 10 seconds",
                hint:
                    "stop typing or pasting, then run the command again; a script must wait for each question before "
                    + "it answers")
        case .withdrawn: Words(.noAnswer, "the question was withdrawn before you answered")
        case .mismatch:
            Words(.invalidPIN, "the new PIN and its repetition differ", hint: "nothing was done; try again")
        }
    }
}

extension Words {
    /// The answer to a question does not count.
    package static let answerNotTyped =
        "The answer was pasted, or more input followed it. Wait for the question, then type the answer."
}
