import Files
import Glibc
import JSON
import Messages
import Shell
import WalletAPI

/// Why a client command has no answer, or another answer than it asked for.
enum ClientError: Error, Equatable {
    /// The path of the socket, and why there is no connection.
    case notConnected(String, errno: Int32)
    /// The agent ended, or closed the connection, before it answered.
    case closed
    case io(errno: Int32)
    case malformed(AnswerFault)
    /// The JSON of an answer lacks something.
    case wrongAnswer
    /// The agent signed another transaction, or for another chain, or with another key.
    case otherSignature
    /// The agent refuses, with its own words.
    case refused(Words)
    /// A transaction that is not UTF-8.
    case notText
    /// An earlier line has the id.
    case idTwice(line: Int, first: Int)
    /// The agent ended; the lines after this one were not sent.
    case linesNotSent(after: Int)
}

extension ClientError: WordedError {
    var words: Words {
        switch self {
        case .notConnected(let path, let number):
            Words(
                .noAgent, "\(Printable.line(path)): \(Self.reason(number))",
                hint: Self.hint(number))
        case .closed:
            Words(
                .noAgent, "eosvault-agent closed the connection without an answer",
                hint:
                    "see why it ended; if it signed, the signature is in `eosvault log`, and the same command "
                    + "makes the same signature again")
        case .io(let number): Words(.noAgent, "the connection failed: \(systemMessage(number))")
        case .malformed, .wrongAnswer:
            Words(
                .noAgent, "the answer is not one of eosvault-agent",
                hint: "check the program that listens at the socket, and its version")
        case .otherSignature:
            Words(
                .faultySignature, "the answer has another transaction or a wrong signature: it is not used",
                hint: "check the program that listens at the socket; do not send the transaction")
        case .refused(let words): words
        case .notText: Words(.notATransaction, "the transaction is not text in UTF-8")
        case .idTwice(let line, let first):
            Words(
                .duplicate, "lines \(first) and \(line) have the same id; line \(line) was not sent",
                hint: "give each line its own id; check that no payment is in the file twice")
        case .linesNotSent(let line):
            Words(
                .noAgent, "eosvault-agent ended; the lines after line \(line) were not sent",
                hint:
                    "start eosvault-agent and unlock it, then run the same command again: a line that is signed "
                    + "again gets the same signatures")
        }
    }

    private static func hint(_ number: Int32) -> String? {
        switch number {
        case EACCES: "the socket belongs to another user: see --allow-uid in `eosvault-agent help serve`"
        case EPERM: "run the command as the user of the agent"
        default: nil
        }
    }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT, ECONNREFUSED, ENOTSOCK: "no agent listens at this socket"
        case EPERM: "another user runs the agent, and gets no PIN"
        default: systemMessage(number)
        }
    }
}

extension ClientError {
    /// The error in an answer.
    init(_ answer: ReceivedAnswer) {
        guard let error = (try? JSONValue.parse(answer.body))?["error"] else {
            self = .wrongAnswer
            return
        }
        if let name = error["code"]?.string, let message = error["message"]?.string,
            let hint = error["hint"]?.string
        {
            let code = ErrorCode.allCases.first { $0.name == name } ?? .newerVersion
            self = .refused(Words(code, Printable.line(message), hint: Printable.line(hint)))
        } else if let message = error["details"]?.array?.first?["message"]?.string {
            // What HTTP refuses has the form of keosd.
            self = .refused(Words(.noAgent, Printable.line(message), hint: "try again"))
        } else {
            self = .wrongAnswer
        }
    }
}
