import Messages
import Shell

/// An error that the agent finds itself.
struct AgentError: WordedError {
    let words: Words

    static let noThread = AgentError(words: Words(.notEnoughMemory, "the system refuses another thread"))
    static let lockedMeanwhile = AgentError(
        words: Words(.locked, "the vault was locked again while the PIN was tried"))
    static let tooManyUnlocks = AgentError(
        words: Words(.busy, "too many requests wait to try a PIN"))
    static let noTerminal = AgentError(
        words: Words(
            .noTerminal, "--confirm terminal: there is no terminal",
            hint: "start the agent at a terminal, or give --confirm policy or the path of a program"))
    static let inBackground = AgentError(
        words: Words(
            .noTerminal, "the agent runs in the background, so it can't ask at its terminal",
            hint: "run `fg` in the agent's shell, then send the request again"))
    static func notAnAction(_ text: String) -> AgentError {
        AgentError(words: Words(.usage, "`\(Printable.excerpt(text))` is not ACCOUNT::ACTION"))
    }
    static func programRefused(_ reason: String) -> AgentError {
        AgentError(words: Words(.declined, "not signed: \(reason)"))
    }
    static let expired = AgentError(
        words: Words(.noAnswer, "the transaction has expired, or its client left"))
}
