/// An error of a key store, such as a vault or a token. Its program has the words for it.
package protocol StoreError: Error, Equatable {
    /// True if nothing was signed only because the store can't record the signature.
    var isReadOnly: Bool { get }
    /// True if the store lacks a key, or can't use it, and can sign with other keys.
    var isAboutOneKey: Bool { get }
}

extension StoreError {
    package var isReadOnly: Bool { false }
    package var isAboutOneKey: Bool { false }

    fileprivate func isEqual(to other: any StoreError) -> Bool { other as? Self == self }
}

/// An error of any key store.
package struct StoreFailure: Error, Equatable {
    package let error: any StoreError

    package init(_ error: any StoreError) { self.error = error }

    package static func == (left: StoreFailure, right: StoreFailure) -> Bool {
        left.error.isEqual(to: right.error)
    }
}
