import CShim
import Glibc

/// Code that the dynamic linker brought into this process before it ran, and that it did not ask
/// for. It sees every secret. An object that wants to hide can't be found from within, so this
/// tells of those that were forgotten, not of those that were meant.
struct LoadedObjects: Equatable {
    /// Paths of objects that the program does not need, and of those that it needs and got from an
    /// odd place.
    var foreign: [String]
    /// Whether there are more namespaces than the program's own, where objects live that audit it
    /// (LD_AUDIT).
    var isAudited: Bool
    /// Variables of the environment that name such objects.
    var variables: [String]

    var isEmpty: Bool { foreign.isEmpty && !isAudited && variables.isEmpty }

    /// What was there when the program began: a process that has given rights away can't follow the
    /// paths any more.
    static let atStart = look()

    private static func look() -> LoadedObjects {
        var foreign: [String] = []
        let namespaces = unsafe withUnsafeMutablePointer(to: &foreign) { list in
            unsafe shim_foreign_objects(
                { path, list in
                    guard let path = unsafe path else { return }
                    unsafe list?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: path))
                }, list)
        }
        let variables = ["LD_PRELOAD", "LD_AUDIT"].filter { Environment[$0]?.isEmpty == false }
        return LoadedObjects(foreign: foreign, isAudited: namespaces > 0, variables: variables)
    }
}
