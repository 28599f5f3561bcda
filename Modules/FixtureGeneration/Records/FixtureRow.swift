public import StrataCore

/// A generated row as a value.
///
/// ```swift
/// let number: Int = try row["number"]
/// let note: String? = try row["note"]
/// ```
///
/// Rows are created by ``Fixtures/row(of:at:)``, and passed to ``FixtureRecord/init(fixture:)``. Two rows are equal if
/// their entity, index and values are equal.
///
/// ## Topics
///
/// ### Identifying the row
///
/// - ``entity``
/// - ``index``
/// - ``id``
/// - ``identifier()``
///
/// ### Reading values
///
/// - ``subscript(_:)``
/// - ``values``
public struct FixtureRow: Sendable, Hashable {
    /// The name of the entity.
    public let entity: String
    /// The number of the row, from 0.
    ///
    /// It is the position in the dataset: line *n* + 2 of a CSV file with a header contains row *n*, unless earlier
    /// values contain line breaks.
    public let index: Int
    /// The values by the names of the fields.
    ///
    /// Each field of the entity has a value; null is ``FixtureValue/null``.
    public let values: [String: FixtureValue]

    init(entity: String, index: Int, values: [String: FixtureValue]) {
        self.entity = entity
        self.index = index
        self.values = values
    }

    /// The identifier of the row, which is its number plus 1.
    ///
    /// References to the row contain this number.
    public var id: Int64 { Int64(index) + 1 }

    /// Returns the identifier of the row as the identifier of a record.
    ///
    /// - Throws: ``FixtureError`` with the code `invalidRecord` if the number is out of range; no row has such a
    ///   number.
    public func identifier<Record>() throws(FixtureError) -> RecordID<Record> {
        guard let id = RecordID<Record>(rawValue: id) else {
            throw FixtureError(.invalidRecord, entity: entity, attribute: "id", "\(id) is not an identifier")
        }
        return id
    }

    /// Accesses a value as the requested Swift type.
    ///
    /// Use an optional type for a field that can be null. If a field is null and the type is not optional, an error is
    /// thrown. Numbers are not rounded or truncated: an integer that the type cannot represent is an error too.
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
