extension WalletState {
    /// Reads and answers a request.
    /// - Parameter run: what the vault does for a request. Its errors are answered too.
    package func answer(
        _ received: consuming ReceivedRequest,
        running run: (consuming WalletOperation) throws(WalletError) -> WalletAnswer
    ) -> WalletAnswer {
        do throws(WalletError) {
            switch try decide(received) {
            case .answer(let answer): return answer
            case .run(let operation): return try run(operation)
            }
        } catch { return WalletAnswer(error) }
    }

    /// Reads and decides a request.
    package func decide(_ received: consuming ReceivedRequest) throws(WalletError) -> WalletDecision {
        let head = received.head
        if let refusal = head.refusal { return .answer(refusal) }
        guard case .call(let call) = head.target else { return .answer(.unknownEndpoint) }
        return try decide(WalletRequest(call, received.takeBody()))
    }
}
