/// A generated row as a value.
///
/// ```swift
/// let number: Int = try row["number"]
/// let note: String? = try row["note"]
/// ```
public struct FixtureRow: Sendable, Hashable {
    /// The name of the entity.
    public let entity: String
    /// The number of the row, from 0.
    public let index: Int
    /// The values by the names of the fields.
    public let values: [String: FixtureValue]

    init(entity: String, index: Int, values: [String: FixtureValue]) {
        self.entity = entity
        self.index = index
        self.values = values
    }

    /// The identifier of the row, which is its number plus 1.
    public var id: Int64 { Int64(index) + 1 }

    /// Accesses a value as the requested Swift type.
    ///
    /// - Parameter name: The name of the field.
    /// - Throws: ``FixtureError`` with the code `unknown` if the field does not exist, and `invalidRecord` if the type
    ///   cannot represent the value.
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
            "the attribute does not exist; the attributes are \(values.keys.sorted().joined(separator: ", "))")
    }
}
