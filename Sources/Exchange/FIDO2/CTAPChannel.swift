import Files
import Glibc

/// A channel of CTAPHID to an authenticator: CTAP 2.1, section 11.2.
///
/// The descriptor is a hidraw device, or one end of a socket or of a raw terminal that carries the
/// same bytes: a report that is sent has a zero byte before its 64 bytes, one that is read has not.
/// Signals that would end the program wait until a transaction is cancelled at the authenticator.
struct CTAPChannel {
    let descriptor: FileDescriptor
    let id: UInt32
    /// How long a transaction may take, with the time that the user needs.
    let milliseconds: Int

    /// How long an authenticator may send nothing. It sends a keepalive every 100 ms.
    private static let silenceLimit = 3_000
    /// How many packets of other channels are ignored in a transaction.
    private static let foreignLimit = 256
    /// CTAP 2.1, section 11.2.9.1.3: the bit for CTAPHID_CBOR.
    private static let hasCBOR: UInt8 = 0x04

    // MARK: the channel

    /// Opens a channel.
    /// - Throws: `noAuthenticator`, `gone`, `cancelled`, `tooOld`.
    init(opening descriptor: FileDescriptor, milliseconds: Int) throws(FIDO2Error) {
        let nonce = (0..<8).map { _ in UInt8.random(in: 0...255) }
        let broadcast = CTAPChannel(
            descriptor: descriptor, id: CTAPPacket.broadcast,
            milliseconds: min(milliseconds, Self.silenceLimit))
        let answer: [UInt8]
        do throws(FIDO2Error) {
            answer = try broadcast.exchange(
                CTAPPacket.Command.initialise, nonce, name: "CTAPHID_INIT", onTouch: {},
                // Answers to other programs have other nonces.
                accepts: { $0.count >= 17 && $0.starts(with: nonce) })
        } catch .timedOut, .invalidAnswer, .refused, .noTouch { throw .noAuthenticator }
        let id = answer[8..<12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard id != 0, id != CTAPPacket.broadcast else { throw .noAuthenticator }
        guard answer[16] & Self.hasCBOR != 0 else { throw .tooOld }
        self.init(descriptor: descriptor, id: id, milliseconds: milliseconds)
    }

    private init(descriptor: FileDescriptor, id: UInt32, milliseconds: Int) {
        (self.descriptor, self.id, self.milliseconds) = (descriptor, id, milliseconds)
    }

    // MARK: transactions

    /// Sends a command of CTAP2 and returns the CBOR of the answer.
    /// - Parameters:
    ///   - name: the name of the command, for errors.
    ///   - onTouch: called once when the authenticator waits for the user.
    /// - Throws: `refused` with the status of the answer, and all errors of a transaction.
    func perform(
        _ command: UInt8, name: String, _ parameters: CBORValue?, onTouch: () -> Void = {}
    ) throws(FIDO2Error) -> [UInt8] {
        let answer = try exchange(
            CTAPPacket.Command.cbor, [command] + (parameters?.encoded ?? []), name: name, onTouch: onTouch,
            accepts: { _ in true })
        guard let status = answer.first else { throw .invalidAnswer(command: name) }
        guard status == 0 else { throw .refused(code: status, command: name) }
        return Array(answer.dropFirst())
    }

    /// Sends a message and waits for the answer. A socket whose other end is closed is an error,
    /// and no signal.
    private func exchange(
        _ command: UInt8, _ message: [UInt8], name: String, onTouch: () -> Void, accepts: ([UInt8]) -> Bool
    ) throws(FIDO2Error) -> [UInt8] {
        var answer: [UInt8] = []
        try HeldSignals.withoutPipeSignal { () throws(FIDO2Error) in
            answer = try transact(command, message, name: name, onTouch: onTouch, accepts: accepts)
        }
        return answer
    }

    private func transact(
        _ command: UInt8, _ message: [UInt8], name: String, onTouch: () -> Void, accepts: ([UInt8]) -> Bool
    ) throws(FIDO2Error) -> [UInt8] {
        let signals = HeldSignals()
        defer { signals.release() }
        var reader = PacketReader(descriptor: descriptor)
        var wait = Wait(milliseconds: milliseconds, silence: Self.silenceLimit)
        try send(command, message, wait)
        wait.renew()
        var assembler = CTAPAssembler(channel: id)
        var others = 0
        while true {
            do throws(FIDO2Error) { try wait.check() } catch {
                try cancel(&reader, &assembler)
                throw error
            }
            guard let packet = try reader.next(until: wait.next) else { continue }
            switch assembler.take(packet) {
            case .incomplete: wait.renew()
            case .invalid: throw .invalidAnswer(command: name)
            case .message(command, let answer) where accepts(answer): return answer
            case .message(CTAPPacket.Command.keepalive, let status):
                // 1: it works; 2: it waits for the user.
                guard status == [1] || status == [2] else { throw .invalidAnswer(command: name) }
                wait.renew()
                if wait.begins(touch: status == [2]) { onTouch() }
            case .message(CTAPPacket.Command.error, let code):
                throw .refused(code: code.first ?? 0, command: "CTAPHID")
            case .message where id != CTAPPacket.broadcast: throw .invalidAnswer(command: name)
            case .foreign, .message:
                others += 1
                guard others <= Self.foreignLimit else { throw .invalidAnswer(command: name) }
            }
        }
    }

    /// - Throws: `gone`, and the errors of `Wait` if nobody reads the other end.
    private func send(_ command: UInt8, _ message: [UInt8], _ wait: Wait) throws(FIDO2Error) {
        for packet in CTAPPacket.packets(channel: id, command: command, message: message) {
            var report = ([0] + packet)[...]
            while !report.isEmpty {
                try wait.check()
                report = report.dropFirst(try write(Array(report), until: wait.next))
            }
        }
    }

    /// Writes when the descriptor has room. A write to a full one that is not open with O_NONBLOCK
    /// would not return.
    /// - Returns: how many bytes were written.
    private func write(_ bytes: [UInt8], until end: Int) throws(FIDO2Error) -> Int {
        guard try descriptor.isReady(POLLOUT, until: end) else { return 0 }
        let count = unsafe Glibc.write(descriptor.number, bytes, bytes.count)
        guard count >= 0 || [EAGAIN, EINTR].contains(errno) else { throw .gone }
        return max(count, 0)
    }

    /// Cancels the command, and waits half a second for its answer, which the next transaction must
    /// not get.
    private func cancel(_ reader: inout PacketReader, _ assembler: inout CTAPAssembler) throws(FIDO2Error) {
        guard id != CTAPPacket.broadcast else { return }
        let end = Clock.milliseconds + 500
        for packet in CTAPPacket.packets(channel: id, command: CTAPPacket.Command.cancel, message: []) {
            _ = try write([0] + packet, until: end)
        }
        while Clock.milliseconds < end, let packet = try reader.next(until: end) {
            if case .message(CTAPPacket.Command.cbor, _) = assembler.take(packet) { return }
        }
    }
}

/// The limits of a transaction's time.
private struct Wait {
    private let end: Int
    private let silence: Int
    private var quietEnd: Int
    private var isForTouch = false
    private var wasAnnounced = false

    init(milliseconds: Int, silence: Int) {
        let now = Clock.milliseconds
        (end, self.silence, quietEnd) = (now + milliseconds, silence, now + silence)
    }

    /// The authenticator sent something.
    mutating func renew() { quietEnd = Clock.milliseconds + silence }

    /// Notes the state of the authenticator.
    /// - Returns: true the first time that it waits for the user.
    mutating func begins(touch: Bool) -> Bool {
        isForTouch = touch
        defer { wasAnnounced = wasAnnounced || touch }
        return touch && !wasAnnounced
    }

    /// The time to check again. A held signal does not end a wait, so it is found by then.
    var next: Int { min(end, quietEnd, Clock.milliseconds + 100) }

    /// - Throws: `noTouch`, `timedOut`, `cancelled`.
    func check() throws(FIDO2Error) {
        guard !HeldSignals.isEndPending else { throw .cancelled }
        let now = Clock.milliseconds
        guard now < end else { throw isForTouch ? .noTouch : .timedOut }
        guard now < quietEnd else { throw .timedOut }
    }
}

/// Reads reports, which a socket or a terminal may deliver in pieces.
private struct PacketReader {
    let descriptor: FileDescriptor
    private var packet = [UInt8](repeating: 0, count: CTAPPacket.count)
    private var filled = 0

    init(descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// - Parameter end: on the clock of `Clock`.
    /// - Returns: 64 bytes, or nil if they did not arrive in time.
    /// - Throws: `gone`.
    mutating func next(until end: Int) throws(FIDO2Error) -> [UInt8]? {
        while try descriptor.isReady(POLLIN, until: end) {
            if try read() { return packet }
        }
        return nil
    }

    /// - Returns: true if the packet is complete.
    private mutating func read() throws(FIDO2Error) -> Bool {
        let (start, descriptor) = (filled, descriptor)
        let count: Int
        do throws(FileError) {
            count = try packet.withMutableRawSpan { span throws(FileError) in
                try descriptor.read(into: &span, in: start..<CTAPPacket.count)
            }
        } catch {
            guard error.number == EAGAIN else { throw .gone }
            return false
        }
        guard count > 0 else { throw .gone }
        filled = (filled + count) % CTAPPacket.count
        return filled == 0
    }
}

extension FileDescriptor {
    /// Waits for an event of poll(2), POLLIN or POLLOUT.
    /// - Parameter end: on the clock of `Clock`.
    /// - Returns: false if the event did not occur in time.
    /// - Throws: `gone` for any other event.
    fileprivate func isReady(_ event: Int32, until end: Int) throws(FIDO2Error) -> Bool {
        while true {
            let left = end - Clock.milliseconds
            var entry = pollfd(fd: number, events: Int16(event), revents: 0)
            let ready = unsafe poll(&entry, 1, Int32(clamping: max(left, 0)))
            if ready > 0 {
                guard entry.revents & Int16(event) != 0 else { throw .gone }
                return true
            }
            guard ready == 0 || errno == EINTR else { throw .gone }
            if left <= 0 { return false }
        }
    }
}

/// Time that nobody sets.
private enum Clock {
    static var milliseconds: Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
