import StrataCore

/// A selection with names for its columns.
public struct NamedSelection: Sendable {
    /// The selection.
    public let selection: StoreSelection
    /// The names of the columns, one for each; a name may occur several times.
    public let names: [String]
}

/// One result of a selection with named columns.
///
/// ## Topics
///
/// - ``names``
/// - ``values``
/// - ``subscript(_:)``
/// - ``value(_:as:)``
/// - ``dictionary``
public struct SelectedRow: Sendable {
    /// The names of the columns.
    public let names: [String]
    /// The values of the columns.
    public let values: [StoredValue]

    /// The value of the first column with a name; `nil` if there is no such column.
    public subscript(_ name: String) -> StoredValue? { names.firstIndex(of: name).map { values[$0] } }

    /// The values by the names of their columns; of several columns with the same name, the first one.
    public var dictionary: [String: StoredValue] {
        Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the value of a column with its Swift type.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The type of the value; an optional if the value may be null.
    /// - Returns: The value of the first column with the name.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if there is no such column, or
    ///   ``ValueError`` if the value has another type.
    public func value<Value: AttributeValue>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value = self[name] else {
            throw PersistenceError(.invalidRequest, "the selection has no column “\(name)”; there are \(names)")
        }
        return try Value(storedValue: value)
    }
}
