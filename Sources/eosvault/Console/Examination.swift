import Machine
import Sandbox

/// Facts about this machine and this process. `findings` judges them.
struct Examination {
    var missingProtections: [LinkerProtection]
    var kernelVersion: String?
    var sandbox: SandboxSupport
    /// What the process inherited, and whether it can lock enough memory.
    var inherited: ProcessHardening.Inherited
    var locksEnough: Bool
    var swapAreas: [SwapArea]?
    var hibernation: Hibernation
    var coreDumps: CoreDumps?
    var mayTraceOthers: Bool?
    var randomizesAddresses: Bool?
    var hasFixedAddresses: Bool?
    var isRandomReady: Bool
    var clock: SystemClock
    var hasBatteryClock: Bool?
    var interfaces: [NetworkInterface]?
    var radios: [Radio]?
    var objects: LoadedObjects
    /// The objects that /etc/ld.so.preload names.
    var preloaded: [String]
    var isVirtual: Bool?
    var isContained: Bool

    /// Read at the first use. That must be before the sandbox starts, which hides most of the
    /// machine.
    static let ofThisMachine = Examination(of: SystemTree())

    init(of tree: SystemTree) {
        missingProtections = ThisProcess.missingProtections
        kernelVersion = tree.kernelVersion
        sandbox = .ofThisKernel()
        inherited = ProcessHardening.inherited
        locksEnough = LockedMemory.isEnough
        swapAreas = tree.swapAreas
        hibernation = tree.hibernation
        coreDumps = tree.coreDumps
        mayTraceOthers = tree.mayTraceOthers
        randomizesAddresses = tree.randomizesAddresses
        hasFixedAddresses = ThisProcess.hasFixedAddresses
        isRandomReady = KernelRandom.isReady
        clock = .ofThisMachine()
        hasBatteryClock = tree.hasBatteryClock
        interfaces = tree.networkInterfaces
        radios = tree.radios
        objects = .atStart
        preloaded = tree.preloadedObjects
        isVirtual = tree.isVirtual
        isContained = tree.isContained
    }
}
