import AirGap
import JSON

/// The text of one code of a UR is refused, or prints back to itself in lower case.
public enum URPartLaw: Law {
    public static let name = "URPart"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let rows = vectors.tests("ur")
        let texts = rows.flatMap { row in
            [row["ur"]?.string, row["text"]?.string, row["parts"]?.array?.first?["text"]?.string].compactMap(
                \.self)
        }
        return texts.filter { $0.utf8.count < 1000 }.map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let read: URText
        do { read = try URText(input) } catch { return }
        let printed =
            switch read {
            case .whole(let resource): resource.text
            case .part(let part): part.text
            }
        try law(printed == text(input).lowercased(), "the text prints back")
        guard case .part(let part) = read else { return }
        let assembly = URAssembly(part)
        try law(assembly.missing == Int(part.count) - 1, "one part is known")
    }
}
