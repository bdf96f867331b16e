/// The numbers of entries of the kinds that this version supports.
package struct EntryCounts: Hashable, Sendable {
    package internal(set) var keys = 0
    package internal(set) var credentials = 0
    package internal(set) var seeds = 0

    package init(_ kinds: some Sequence<EntryKind> = []) { for kind in kinds { count(kind) } }

    mutating func count(_ kind: EntryKind) {
        switch kind {
        case .privateKey, .tokenKey: keys += 1
        case .credential: credentials += 1
        case .seed: seeds += 1
        case .other: break
        }
    }
}
