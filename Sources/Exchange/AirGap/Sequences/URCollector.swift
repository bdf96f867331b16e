/// Collects the parts of several messages, so that a part of another message does not block the
/// right ones.
///
/// Messages are distinguished by their type, checksum and lengths. At most `maximumCount` are
/// collected at once. A further message replaces the message with the fewest known fragments.
package struct URCollector: Sendable {
    package static let maximumCount = 8

    /// From the message whose part was seen the longest time ago.
    package private(set) var assemblies: [URAssembly] = []

    package init() {}

    /// Adds the text of one code, and returns a message that is complete. Its parts are then
    /// forgotten.
    /// - Throws: for a text that is no part of a UR. `damagedMessage` if all parts of a message are
    ///   known and its checksum is wrong: its parts are forgotten too.
    package mutating func add(_ text: some Collection<UInt8>) throws(CodeSequenceError) -> UniformResource? {
        switch try URText(text) {
        case .whole(let resource): return resource
        case .part(let part): return try add(part)
        }
    }

    private mutating func add(_ part: URPart) throws(CodeSequenceError) -> UniformResource? {
        var assembly: URAssembly
        if let index = assemblies.firstIndex(where: { $0.header == part.header }) {
            assembly = assemblies.remove(at: index)
            if let message = try assembly.adding(part) { return message }
        } else {
            assembly = URAssembly(part)
            if let message = try assembly.message() { return message }
            if assemblies.count == Self.maximumCount,
                let fewest = assemblies.indices.min(by: { assemblies[$0].rank < assemblies[$1].rank })
            {
                assemblies.remove(at: fewest)
            }
        }
        assemblies.append(assembly)
        return nil
    }
}
