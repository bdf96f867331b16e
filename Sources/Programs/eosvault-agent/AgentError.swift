import Messages

/// An error that the agent finds itself.
struct AgentError: WordedError {
    let words: Words

    static let noThread = AgentError(words: Words(.notEnoughMemory, "the system refuses another thread"))
}
