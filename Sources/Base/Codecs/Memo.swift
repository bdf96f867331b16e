import Synchronization

/// A value that is made at its first use, and only once. Any thread may ask for it: the first result
/// that is stored is everyone's. There is no lock, which would need `syscall`, a function that the
/// libraries don't call.
///
/// A memo is not a part of the value that has it, so two memos are always equal.
package final class Memo<Value: Sendable>: Sendable, Hashable {
    private final class Made: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let made = AtomicLazyReference<Made>()

    package init() {}

    package func value(_ make: () -> Value) -> Value {
        (made.load() ?? made.storeIfNil(Made(make()))).value
    }

    package static func == (left: Memo, right: Memo) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
