import CChild
import Glibc

/// A thread for a test that needs something to happen at the same time.
///
/// A task would wait for a thread of the tests: there are as many as processors, and the test that
/// waits for the task holds one of them.
public final class TestThread {
    private let run: () -> Void
    private var thread = pthread_t()

    /// - Parameter stack: the size of its stack in bytes, nil for the usual one.
    public init(stack: Int? = nil, _ run: @Sendable @escaping () -> Void) {
        self.run = run
        var attributes = pthread_attr_t()
        precondition(pthread_attr_init(&attributes) == 0)
        defer { pthread_attr_destroy(&attributes) }
        if let stack { precondition(pthread_attr_setstacksize(&attributes, stack) == 0) }
        let status = pthread_create(
            &thread, &attributes,
            { started in
                if let started { Unmanaged<TestThread>.fromOpaque(started).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(status == 0)
    }

    /// Waits until it has ended. It is called once for each thread.
    public func join() { pthread_join(thread, nil) }
}
