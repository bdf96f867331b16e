import Glibc

/// The cost of one guess of a PIN: the passes and the memory of Argon2id (version 1.3, one lane).
package struct KDFCost: Hashable, Sendable {
    package let passes: UInt32
    /// Bytes, a multiple of 1,024.
    package let memory: UInt64

    /// 3 passes over 256 MiB: libsodium's MODERATE.
    package static let standard = KDFCost(unchecked: 3, memory: 256 << 20)
    /// libsodium's INTERACTIVE. A lower cost is accepted only when it is requested as insecure.
    package static let leastSecure = KDFCost(unchecked: 2, memory: 64 << 20)
    /// libsodium's minimum, for tests only.
    package static let leastInsecure = KDFCost(unchecked: 1, memory: 8_192)
    /// The most that a vault file may request.
    package static let most = KDFCost(unchecked: 64, memory: 4 << 30)

    private init(unchecked passes: UInt32, memory: UInt64) {
        self.passes = passes
        self.memory = memory
    }

    /// A cost for a new slot.
    /// - Parameter insecure: accepts less than `leastSecure`, down to `leastInsecure`.
    /// - Throws: `kdfCost`.
    package init(passes: UInt32, memory: UInt64, insecure: Bool = false) throws(VaultError) {
        let floor = insecure ? Self.leastInsecure : Self.leastSecure
        try self.init(passes: passes, memory: memory, floor: floor, machineMemory: Self.machineMemory)
    }

    /// A cost that was read from a slot. It is refused before anything is allocated if it exceeds
    /// `most` or the machine's memory. A file must not control how long the program runs.
    init(storedPasses passes: UInt32, memory: UInt64, machineMemory: UInt64 = Self.machineMemory)
        throws(VaultError)
    {
        try self.init(passes: passes, memory: memory, floor: Self.leastInsecure, machineMemory: machineMemory)
    }

    private init(passes: UInt32, memory: UInt64, floor: KDFCost, machineMemory: UInt64) throws(VaultError) {
        let passRange = floor.passes...Self.most.passes
        guard passRange.contains(passes) else { throw .input(.kdfCost(.passes(passes, allowed: passRange))) }
        let memoryRange = floor.memory...Self.most.memory
        guard memoryRange.contains(memory) else {
            throw .input(.kdfCost(.memory(memory, allowed: memoryRange)))
        }
        guard memory.isMultiple(of: 1_024) else { throw .input(.kdfCost(.memoryNotWholeKibibytes(memory))) }
        guard memory <= machineMemory else {
            throw .input(.kdfCost(.memoryBeyondMachine(memory, machine: machineMemory)))
        }
        self.init(unchecked: passes, memory: memory)
    }

    /// Passes times KiB: a measure of a derivation's time.
    fileprivate var work: UInt64 { UInt64(passes) * (memory >> 10) }

    /// The machine's physical memory in bytes.
    static var machineMemory: UInt64 {
        let pages = UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 0))
        return pages.multipliedReportingOverflow(by: UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0)))
            .partialValue
    }
}

/// The work that the derivations for all tried slots may take together: as much as one derivation
/// at the highest cost. A file must not control how long the program runs, neither with one slot
/// nor with many.
struct KDFBudget {
    private var left = KDFCost.most.work

    /// - Throws: `kdfCost(.together)` when this cost exceeds the rest of the budget.
    mutating func spend(_ cost: KDFCost) throws(VaultError) {
        guard cost.work <= left else { throw .input(.kdfCost(.together)) }
        left -= cost.work
    }
}
