import ABICodec
import JSON

/// An object of a policy, whose members have known names.
struct PolicyObject {
    private let members: [LocatedValue.Member]
    private let offset: Int
    private let known: [String]

    init(_ value: LocatedValue, _ known: [String]) throws(PolicyFault) {
        guard case .object(let members) = value.content else {
            throw PolicyFault(reason: .expected(.object, found: value.kind), offset: value.offset)
        }
        (self.members, offset, self.known) = (members, value.offset, known)
    }

    func refuseUnknown() throws(PolicyFault) {
        for member in members where !known.contains(where: { $0.utf8.elementsEqual(member.key.utf8) }) {
            throw PolicyFault(reason: .unknownMember(member.key, known: known), offset: member.offset)
        }
    }

    subscript(_ name: String) -> LocatedValue? { members.first { $0.key.utf8.elementsEqual(name.utf8) }?.value }

    func required(_ name: String) throws(PolicyFault) -> LocatedValue {
        guard let value = self[name] else { throw PolicyFault(reason: .missingMember(name), offset: offset) }
        return value
    }

    /// The elements of an optional list.
    func elements(_ name: String, limit: Int) throws(PolicyFault) -> [LocatedValue] {
        guard let value = self[name] else { return [] }
        let elements = try value.elements()
        guard elements.count <= limit else { throw PolicyFault(reason: .tooMany(limit: limit), offset: value.offset) }
        return elements
    }

    /// The member `name`, 1 to 64 printable characters.
    func name() throws(PolicyFault) -> String? {
        guard let value = self["name"] else { return nil }
        let text = try value.text()
        let scalars = text.unicodeScalars
        guard (1...64).contains(scalars.count), scalars.allSatisfy(\.isShown) else { throw value.fault(.label) }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether the character is visible, or a space.
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension LocatedValue {
    func fault(_ fault: PolicyValueFault) -> PolicyFault { PolicyFault(reason: .value(fault), offset: offset) }

    private func unexpected(_ kind: JSONKind) -> PolicyFault {
        PolicyFault(reason: .expected(kind, found: self.kind), offset: offset)
    }

    /// A text for messages.
    var excerpt: String {
        switch content {
        case .string(let text), .number(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .null: "null"
        case .array: "[…]"
        case .object: "{…}"
        }
    }

    func text() throws(PolicyFault) -> String {
        guard case .string(let text) = content else { throw unexpected(.string) }
        return text
    }

    /// The text of a string, an integer or a boolean.
    func scalarText() throws(PolicyFault) -> String {
        switch content {
        case .string(let text): return text
        case .boolean(let value): return value ? "true" : "false"
        case .number(let text) where Bound(text) != nil: return text
        default: throw fault(.scalar)
        }
    }

    func boolean() throws(PolicyFault) -> Bool {
        guard case .boolean(let value) = content else { throw unexpected(.boolean) }
        return value
    }

    func integer(_ range: ClosedRange<UInt32>) throws(PolicyFault) -> UInt32 {
        guard case .number(let text) = content else { throw unexpected(.number) }
        guard let number = UInt32(text), range.contains(number) else { throw fault(.integer(range)) }
        return number
    }

    func choice(_ texts: [String]) throws(PolicyFault) -> String {
        let text = try text()
        guard texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { throw fault(.notOneOf(texts)) }
        return text
    }

    func name() throws(PolicyFault) -> Name {
        guard let name = Name(exactly: try text()) else { throw fault(.name) }
        return name
    }

    func token() throws(PolicyFault) -> Token {
        guard let token = Token(try text()) else { throw fault(.token) }
        return token
    }

    func pointer() throws(PolicyFault) -> FieldPointer {
        guard let pointer = FieldPointer(try text()) else { throw fault(.pointer) }
        return pointer
    }

    func bound() throws(PolicyFault) -> Bound {
        switch content {
        case .number(let text), .string(let text):
            guard let bound = Bound(text) else { throw fault(.bound) }
            return bound
        default: throw fault(.bound)
        }
    }

    func elements() throws(PolicyFault) -> [LocatedValue] {
        guard case .array(let elements) = content else { throw unexpected(.array) }
        return elements
    }

    /// The values of a list that is not empty and has none twice.
    func list<Value: Hashable>(_ read: (LocatedValue) throws(PolicyFault) -> Value) throws(PolicyFault) -> [Value] {
        let elements = try elements()
        guard !elements.isEmpty else { throw fault(.empty) }
        var (values, seen): ([Value], Set<Value>) = ([], [])
        for element in elements {
            let value = try read(element)
            guard seen.insert(value).inserted else { throw element.fault(.duplicate(element.excerpt)) }
            values.append(value)
        }
        return values
    }
}
