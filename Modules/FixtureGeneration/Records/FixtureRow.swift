/// One row that was made, by value.
///
/// ```swift
/// let number: Int = try row["number"]
/// let note: String? = try row["note"]
/// ```
public struct FixtureRow: Sendable, Hashable {
    /// The entity's name.
    public let entity: String
    /// The row's number, from 0.
    public let index: Int
    /// The values by the names of the fields.
    public let values: [String: FixtureValue]

    init(entity: String, index: Int, values: [String: FixtureValue]) {
        self.entity = entity
        self.index = index
        self.values = values
    }

    /// The row's identifier: its number plus 1.
    public var id: Int64 { Int64(index) + 1 }

    /// A value as the Swift type asked for.
    ///
    /// - Parameter name: The field's name.
    /// - Throws: ``FixtureError`` with the code `unknown` where there is no such field, `invalidRecord` where the type does not take the value.
    public subscript<Value: FixtureConvertible>(name: String) -> Value {
        get throws(FixtureError) {
            guard let value = values[name] else { throw unknown(name) }
            guard let converted = Value(fixtureValue: value) else {
                throw FixtureError(
                    .invalidRecord, entity: entity, attribute: name, "\(value.kind) cannot be read as \(Value.self)")
            }
            return converted
        }
    }

    private func unknown(_ name: String) -> FixtureError {
        FixtureError(
            .unknown, entity: entity, attribute: name,
            "there is no such attribute; there are \(values.keys.sorted().joined(separator: ", "))")
    }
}
