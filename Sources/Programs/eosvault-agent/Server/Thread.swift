import Glibc

/// A thread of the agent.
struct Thread: ~Copyable {
    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let handle: pthread_t

    /// - Returns: nil if the system refuses one more thread.
    init?(_ body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let start = unsafe Unmanaged.passRetained(Start(body))
        let status = unsafe pthread_create(
            &handle, nil,
            { start in
                guard let start = unsafe start else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
                return nil
            }, unsafe start.toOpaque())
        guard status == 0 else {
            unsafe start.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits until the thread ends.
    consuming func join() { pthread_join(handle, nil) }
}
