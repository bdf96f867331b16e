import JSON
import Shell

/// The text of a fault. People get one line. Programs get a JSON object with the code, the line,
/// and the affected key, slot, table or record.
struct FaultWords {
    let code: FaultCode
    let text: String
    /// An object with what is affected.
    let members: JSONValue

    init(_ code: FaultCode, _ text: String, _ members: JSONValue = [:]) {
        (self.code, self.text, self.members) = (code, text, members)
    }

    var json: JSONValue { (["code": .string(code.name), "message": .string(text)] as JSONValue).adding(members) }
}
