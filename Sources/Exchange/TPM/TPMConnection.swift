import CTPM
import Files

/// Sends commands to a TPM, and remembers the objects and sessions to remove. Everything that it
/// sends and receives is public: a secret is encrypted before.
final class TPMConnection {
    private let file: FileDescriptor
    private let milliseconds: Int
    /// True if the last command timed out or was cancelled. Its answer may still come, before
    /// the one to the next command.
    private var isAnswerOwed = false
    /// What commands made and nobody has removed.
    private var handles: [UInt32] = []
    /// What the TPM contained before this connection. Others remove it.
    private var foreign: Set<UInt32> = []
    /// The Name of the storage key, if it was made before.
    var primaryName: [UInt8]?

    init(_ file: FileDescriptor, milliseconds: Int) {
        (self.file, self.milliseconds) = (file, milliseconds)
    }

    /// Sends a command until the TPM takes it.
    func run(_ command: TPMCommand) throws(TPMError) -> TPMAnswer {
        try run(command, within: milliseconds)
    }

    private func run(_ command: TPMCommand, within limit: Int) throws(TPMError) -> TPMAnswer {
        let end = Self.now + limit
        var pause = 2
        while true {
            do {
                let bytes = try exchange(command, within: max(end - Self.now, 1))
                let answer = try TPMAnswer(bytes, to: command)
                if command.code.makesHandle { handles.append(answer.handle) }
                return answer
            } catch {
                guard let code = error.responseCode, code.asksToRepeat else { throw error }
                guard Self.now + pause <= end else { throw .busy }
                guard !HeldSignals.isEndPending else { throw .cancelled }
            }
            tpm_pause(Int32(clamping: pause))
            pause = min(2 * pause, 250)
        }
    }

    private func exchange(_ command: TPMCommand, within limit: Int) throws(TPMError) -> [UInt8] {
        let bytes = command.bytes
        var answer = [UInt8](repeating: 0, count: Int(TPM_MOST))
        var count = 0
        let owed = isAnswerOwed ? limit : 0
        HeldSignals.withoutPipeSignal {
            count = unsafe tpm_exchange(
                file.number, bytes, bytes.count, &answer, Int32(clamping: limit), Int32(clamping: owed))
        }
        isAnswerOwed = [Int(TPM_TIMED_OUT), Int(TPM_CANCELLED)].contains(count)
        switch count {
        case Int(TPM_TIMED_OUT): throw .timedOut
        case Int(TPM_CANCELLED): throw .cancelled
        case Int(TPM_INVALID_ANSWER): throw .invalidAnswer(command: command.code.name)
        case ..<0: throw .gone
        default: return Array(answer[..<count])
        }
    }

    // MARK: objects and sessions

    /// Runs `body`, then removes each object and session that it made, also after an error.
    func removingObjects<Result: ~Copyable>(
        _ body: () throws(TPMError) -> Result
    ) throws(TPMError) -> Result {
        do {
            let result = try body()
            removeObjects(after: nil)
            return result
        } catch {
            removeObjects(after: error)
            throw error
        }
    }

    /// The TPM removes a session after its last command.
    func forget(_ handle: UInt32) { handles.removeAll { $0 == handle } }

    /// Remembers what the TPM contains. It is not removed later.
    func rememberForeignObjects() throws(TPMError) { foreign = Set(try loaded()) }

    /// The most milliseconds to clean up, and for each command of it.
    private static let cleanUpLimit = 4_000
    private var shortLimit: Int { min(milliseconds, 2_000) }

    /// Ends at the first failure of the connection, because a TPM that does not answer now will not
    /// answer the next command either. A TPM that refuses to remove an object has none.
    private func removeObjects(after error: TPMError?) {
        defer { handles = [] }
        guard error != .gone else { return }
        let end = Self.now + Self.cleanUpLimit
        var isComplete = !(error?.mayLeaveObjects ?? false)
        for handle in handles.reversed() {
            do { try remove(handle, until: end) } catch {
                if error.responseCode != nil { continue }
                guard error.mayLeaveObjects else { return }
                isComplete = false
                break
            }
        }
        guard !isComplete, let left = try? loaded(until: end) else { return }
        for handle in left where !foreign.contains(handle) {
            do { try remove(handle, until: end) } catch { return }
        }
    }

    private func remove(_ handle: UInt32, until end: Int) throws(TPMError) {
        var parameters = Packing()
        parameters.write(handle)
        _ = try run(TPMCommand(code: .flushContext, parameters: parameters.bytes), within: left(until: end))
    }

    /// The most milliseconds of the next command.
    /// - Parameter end: of cleaning up; nil for another command.
    /// - Throws: `timedOut`.
    private func left(until end: Int?) throws(TPMError) -> Int {
        guard let end else { return milliseconds }
        let left = min(end - Self.now, shortLimit)
        guard left > 0 else { throw .timedOut }
        return left
    }

    /// The transient objects and the loaded sessions of a TPM; through Linux's resource manager,
    /// those of this connection.
    private func loaded(until end: Int? = nil) throws(TPMError) -> [UInt32] {
        var handles: [UInt32] = []
        // TPM_HT_TRANSIENT and TPM_HT_LOADED_SESSION (Part 2, 7.2).
        for first in [0x8000_0000, 0x0200_0000] as [UInt32] {
            let command = Capability.command(.handles, from: first, count: Self.handleCount)
            let answer = try run(command, within: left(until: end))
            handles += try Capability.handles(in: answer.parameters, atMost: Self.handleCount)
        }
        return handles
    }

    /// No TPM has more places for objects or sessions.
    private static let handleCount: UInt32 = 64

    /// In milliseconds, of a clock that nobody sets.
    private static var now: Int { Int(tpm_now()) }
}
