import Hardening

/// Objects that the dynamic linker loaded into this process, and that the program does not need.
/// Their code can read every secret. An object can hide itself, so this check finds forgotten
/// objects, not an attack.
package struct LoadedObjects: Equatable {
    /// Paths of objects that the program does not need, and of needed objects from an unexpected
    /// folder.
    package var foreign: [String]
    /// True if there are linker namespaces other than the program's. Objects that audit the program
    /// (LD_AUDIT) have their own namespace.
    package var isAudited: Bool
    /// Environment variables that name such objects.
    package var variables: [String]

    package var isEmpty: Bool { foreign.isEmpty && !isAudited && variables.isEmpty }

    /// The objects at the start of the program. Later, the sandbox prevents access to their paths.
    package static let atStart = find()

    private static func find() -> LoadedObjects {
        let (foreign, isAudited) = ThisProcess.foreignObjects()
        let variables = ["LD_PRELOAD", "LD_AUDIT"].filter { Environment[$0]?.isEmpty == false }
        return LoadedObjects(foreign: foreign, isAudited: isAudited, variables: variables)
    }
}
