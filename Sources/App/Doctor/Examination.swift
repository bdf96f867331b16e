import Hardening
import Shell

/// Facts about this machine and this process. `findings` evaluates them.
struct Examination {
    var missingProtections = ThisProcess.missingProtections
    var kernelVersion: String?
    var sandbox = SandboxSupport.ofThisKernel()
    /// The limits that the process inherited, and if it can lock enough memory.
    var inherited = ProcessHardening.inherited
    var locksEnough = LockedMemory.isEnough
    var swapAreas: [SwapArea]?
    var hibernation: Hibernation
    var coreDumps: CoreDumps?
    var mayTraceOthers: Bool?
    var randomizesAddresses: Bool?
    var hasFixedAddresses = ThisProcess.hasFixedAddresses
    var isRandomReady = KernelRandom.isReady
    var clock = SystemClock.ofThisMachine()
    var hasBatteryClock: Bool?
    var interfaces: [NetworkInterface]?
    var radios: [Radio]?
    var objects = LoadedObjects.atStart
    /// The objects that /etc/ld.so.preload lists.
    var preloaded: [String]
    var isVirtual: Bool?
    var isContained: Bool

    /// Read at the first use. That must be before the sandbox starts, which hides most of the
    /// machine.
    static let ofThisMachine = Examination(of: SystemTree())
}

extension Examination {
    init(of tree: SystemTree) {
        self.init(
            kernelVersion: tree.kernelVersion, swapAreas: tree.swapAreas, hibernation: tree.hibernation,
            coreDumps: tree.coreDumps, mayTraceOthers: tree.mayTraceOthers,
            randomizesAddresses: tree.randomizesAddresses, hasBatteryClock: tree.hasBatteryClock,
            interfaces: tree.networkInterfaces, radios: tree.radios, preloaded: tree.preloadedObjects,
            isVirtual: tree.isVirtual, isContained: tree.isContained)
    }
}
