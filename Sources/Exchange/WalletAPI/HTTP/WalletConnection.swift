import SecureMemory

/// The connection of one client, without its socket: one request at a time, its answer, and the
/// times in which the client must send and take them.
///
/// The owner of the socket passes bytes to `receive` while `isReading`, writes `output`, and closes
/// the socket when `isClosed`. Bytes of the next request stay in the socket meanwhile, so the
/// memory of a connection is limited, and answers are in the order of the requests.
package struct WalletConnection: ~Copyable {
    /// In seconds.
    package enum Limit {
        /// From the first byte of a header to its end.
        package static let header: Double = 10
        /// From the header to the end of the body.
        package static let body: Double = 30
        /// To take an answer.
        package static let answer: Double = 30
        /// To end the connection after the last answer.
        package static let end: Double = 2
    }

    package enum Event: ~Copyable {
        case none
        /// `answer` must follow.
        case request(ReceivedRequest)
    }

    private enum State {
        case reading
        /// A request is not answered yet.
        case waiting
        case writing
        /// The last answer is sent. What the client still sends is dropped: if unread bytes are
        /// left when a socket is closed, the client may lose the answer.
        case ending
        case closed
    }

    private var state = State.reading
    private var reader = RequestReader()
    /// The header of the request that is answered; nil for one that could not be read.
    private var head: RequestHead?
    /// True if the client closed its side.
    private var isHalfClosed = false
    private var endsAfterAnswer = false
    /// When the client must have sent or taken the rest; nil without a limit.
    package private(set) var deadline: Double?
    /// The size of the body that is read, or of the request that waits for its answer.
    package private(set) var bodySize = 0
    /// The bytes to write.
    package private(set) var output: [UInt8] = []

    package init() {}

    /// True if bytes of the client are wanted.
    package var isReading: Bool { state == .reading || state == .ending }

    /// True if no part of a request or an answer is left. Such a connection can be closed at any
    /// time: clients connect again.
    package var isIdle: Bool { state == .reading && reader.isIdle && output.isEmpty }

    /// True if the socket is to be closed.
    package var isClosed: Bool { state == .closed }

    /// True if a request waits for its answer.
    package var isWaiting: Bool { state == .waiting }

    /// True if nothing more is read or sent than the end of the connection.
    package var isEnding: Bool { state == .ending }

    // MARK: - reading

    /// Takes bytes of the client.
    /// - Parameters:
    ///   - used: then the number of bytes that were used. The rest belongs to the next request.
    ///   - now: in seconds, from any start.
    package mutating func receive(_ bytes: RawSpan, used: inout Int, at now: Double) -> Event {
        used = 0
        guard state == .reading else {
            if state == .ending { used = bytes.byteCount }
            return .none
        }
        let (wasIdle, wasInBody) = (reader.isIdle, reader.isInBody)
        do throws(RequestFault) {
            while used < bytes.byteCount {
                switch try reader.read(bytes, from: &used) {
                case .more: break
                case .expectsContinue: output += WalletAnswer.continueLine
                case .request(let request):
                    (state, head, deadline) = (.waiting, request.head, nil)
                    bodySize = request.head.bodyKind == .plain ? request.head.bodyLength : 0
                    endsAfterAnswer = !request.head.keepsOpen
                    return .request(request)
                }
            }
        } catch {
            refuse(error, at: now)
            return .none
        }
        bodySize = reader.bodyCount
        if reader.isInBody, !wasInBody {
            deadline = now + Limit.body
        } else if wasIdle, !reader.isIdle {
            deadline = now + Limit.header
        }
        return .none
    }

    /// Answers what is no request, and ends the connection.
    private mutating func refuse(_ fault: RequestFault, at now: Double) {
        head = nil
        endsAfterAnswer = true
        state = .waiting
        answer(fault.answer, at: now)
    }

    /// The client closed its side of the connection: it sends nothing more, but may wait for an
    /// answer.
    package mutating func end(at now: Double) {
        isHalfClosed = true
        switch state {
        // The rest of a request will not come.
        case .reading, .ending: close()
        case .waiting, .writing, .closed: break
        }
    }

    /// The client closed the connection, or it failed.
    package mutating func close() {
        state = .closed
        bodySize = 0
        reader = RequestReader()
        (output, deadline) = ([], nil)
    }

    // MARK: - answering

    /// Answers the request of the last event.
    /// - Parameter closing: true if no further request is answered.
    package mutating func answer(_ answer: WalletAnswer, at now: Double, closing: Bool = false) {
        guard state == .waiting else { return }
        bodySize = 0
        endsAfterAnswer = endsAfterAnswer || isHalfClosed || closing
        output += answer.bytes(to: head, closes: endsAfterAnswer)
        (state, deadline) = (.writing, now + Limit.answer)
    }

    /// The socket took the first bytes of the output.
    package mutating func sent(_ count: Int, at now: Double) {
        output.removeFirst(min(count, output.count))
        guard state == .writing, output.isEmpty else { return }
        output = []
        if isHalfClosed {
            close()
        } else if endsAfterAnswer {
            (state, deadline) = (.ending, now + Limit.end)
        } else {
            (state, deadline) = (.reading, nil)
        }
    }

    /// Ends what takes too long. A request that waits for its answer has no limit: each request is
    /// answered.
    package mutating func expire(at now: Double) {
        guard let deadline, now >= deadline else { return }
        if state == .reading { refuse(.timeout, at: now) } else { close() }
    }
}
