/// The tables of a vault, by their numbers in the manifest.
package enum VaultTable: UInt8, Equatable, Sendable {
    case vault, manifest, slots, entries, settings, abis, policies, counters, audit, labels
}
