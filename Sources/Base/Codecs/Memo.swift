import Synchronization

/// A value that is made at its first use. Any thread may ask for it, and all get the result that
/// was stored first. There is no lock, because a lock calls `syscall`, which the libraries don't.
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
