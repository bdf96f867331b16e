import JSON
import Shell

/// The JSON object of a value: each member with its name, shape, meaning, and the closure that
/// takes it from the value. The output of a command and its description (`help json`) come from
/// the same members.
///
/// The name of a member that only some objects have ends with `?`: nil leaves it out. For another
/// member, nil is null.
struct JSONObject<Value>: Sendable {
    /// Members that are made at once: one, or the members of a part of the value.
    struct Member: Sendable {
        var descriptions: [JSONShape.Member]
        let append: @Sendable (Value, inout [JSONMember]) -> Void
    }

    let members: [Member]

    init(_ members: [Member]) { self.members = members }

    var shape: JSONShape { .object(members.flatMap(\.descriptions)) }

    func json(_ value: Value) -> JSONValue {
        var made: [JSONMember] = []
        made.reserveCapacity(members.count)
        append(value, to: &made)
        return .object(made)
    }

    private func append(_ value: Value, to made: inout [JSONMember]) {
        for member in members { member.append(value, &made) }
    }

    func adding(_ other: [Member]) -> JSONObject { JSONObject(members + other) }

    /// An object with the members of this object, then the members of a part of the value.
    func adding<Part>(_ other: JSONObject<Part>, of part: @escaping @Sendable (Value) -> Part) -> JSONObject {
        adding([Member(descriptions: other.shape.members) { other.append(part($0), to: &$1) }])
    }

    /// - Parameter part: nil if the object has none of the other members.
    func adding<Part>(_ other: JSONObject<Part>, ifAny part: @escaping @Sendable (Value) -> Part?)
        -> JSONObject
    {
        adding([
            Member(descriptions: other.shape.members.map(\.optional)) { value, made in
                if let part = part(value) { other.append(part, to: &made) }
            }
        ])
    }

    /// An object with members of another made object, as the cases of an enum have different ones.
    func adding(described shape: JSONShape, _ made: @escaping @Sendable (Value) -> JSONValue) -> JSONObject {
        adding([Member(descriptions: shape.members.map(\.optional)) { $1 += made($0).object ?? [] }])
    }
}

extension JSONObject.Member {
    /// A member of any shape.
    static func value(
        _ name: String, _ shape: JSONShape, _ meaning: String,
        _ value: @escaping @Sendable (Value) -> JSONValue?
    ) -> Self { Self(JSONShape.Member(name, shape, meaning), value) }

    private init(_ description: JSONShape.Member, _ value: @escaping @Sendable (Value) -> JSONValue?) {
        descriptions = [description]
        append = { whole, made in
            guard let value = value(whole) ?? (description.isAlways ? .null : nil) else { return }
            made.append(JSONMember(description.name, value))
        }
    }

    static func any(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSONValue?
    ) -> Self { .value(name, .any, meaning, value) }

    static func text(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> String?
    ) -> Self { .value(name, .text, meaning) { value($0).map { .string($0) } } }

    static func number<Number: BinaryInteger & SendableMetatype>(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> Number?
    ) -> Self { .value(name, .number, meaning) { value($0).map { .number($0) } } }

    static func boolean(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> Bool?
    ) -> Self { .value(name, .boolean, meaning) { value($0).map { .boolean($0) } } }

    static func texts(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> [String]?
    ) -> Self { .value(name, .list(of: .text), meaning) { value($0).map { .array($0.map { .string($0) }) } } }

    static func object<Part>(
        _ name: String, _ object: JSONObject<Part>, _ meaning: String,
        _ value: @escaping @Sendable (Value) -> Part?
    ) -> Self { .value(name, object.shape, meaning) { value($0).map(object.json) } }

    static func list<Part>(
        _ name: String, of object: JSONObject<Part>, _ meaning: String,
        _ value: @escaping @Sendable (Value) -> [Part]?
    ) -> Self {
        .value(name, .list(of: object.shape), meaning) { value($0).map { .array($0.map(object.json)) } }
    }

    static func error(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> Words?
    ) -> Self { .value(name, .error, meaning) { value($0)?.json } }

    // MARK: - members whose value can be null

    static func text(
        orNull name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> String?
    ) -> Self { text(name, meaning, value).orNull }

    static func boolean(
        orNull name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> Bool?
    ) -> Self { boolean(name, meaning, value).orNull }

    static func number<Number: BinaryInteger & SendableMetatype>(
        orNull name: String, _ meaning: String, _ value: @escaping @Sendable (Value) -> Number?
    ) -> Self { number(name, meaning, value).orNull }

    static func object<Part>(
        orNull name: String, _ object: JSONObject<Part>, _ meaning: String,
        _ value: @escaping @Sendable (Value) -> Part?
    ) -> Self { .object(name, object, meaning, value).orNull }

    static func list<Part>(
        orNull name: String, of object: JSONObject<Part>, _ meaning: String,
        _ value: @escaping @Sendable (Value) -> [Part]?
    ) -> Self { .list(name, of: object, meaning, value).orNull }

    private var orNull: Self {
        var member = self
        for index in member.descriptions.indices {
            member.descriptions[index].shape = .orNull(member.descriptions[index].shape)
        }
        return member
    }
}

/// A value with one JSON form.
protocol JSONDescribed {
    static var object: JSONObject<Self> { get }
}

extension JSONDescribed {
    var json: JSONValue { Self.object.json(self) }
}
