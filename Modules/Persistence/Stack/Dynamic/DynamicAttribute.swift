import StrataCore

/// A handle of an attribute or a to-one relationship of an entity whose records have no Swift type.
///
/// ``RecordEntity/attribute(_:as:)`` and ``RecordEntity/reference(_:as:)`` create a handle. They look up the name once,
/// and check the name and the Swift type against the model. Afterwards `record[attribute]` returns the value of a
/// record. It is an optional if the attribute may be null.
///
/// A handle is a small value that any thread may use. It is valid for all records of its entity and of other entities
/// with the same name and columns, for example from another instance of the model. If it is used for any other record,
/// the program stops.
///
/// ## Topics
///
/// - ``name``
/// - ``entity``
public struct DynamicAttribute<Value: AttributeValue>: Sendable {
    /// The name of the attribute or to-one relationship.
    public var name: String { entity.description.columns[column].name }
    /// The entity of the attribute or to-one relationship.
    public let entity: DynamicEntity
    /// The index of the attribute's or relationship's column.
    let column: Int

    init(_ entity: DynamicEntity, column: Int) {
        self.entity = entity
        self.column = column
    }

    /// Returns the value of the property in a record.
    func value(in record: DynamicRecord) -> Value {
        require(record.entity)
        do { return try Value(storedValue: record.values[column]) } catch {
            // A record contains only values that fit, and the type of the handle was compared with the type of the
            // column.
            fatalError("\(entity.name).\(name) is a \(Value.self), but the record contains another value: \(error)")
        }
    }

    /// Sets the value of the property in a record.
    ///
    /// If the value has no stored form, for example a decimal of more than 18 digits, the save throws an error.
    func write(_ value: Value, to record: inout DynamicRecord) {
        require(record.entity)
        do { record.write(fitting: try value.storedValue(), column: column) } catch {
            record.note(error as? ValueError ?? ValueError("\(error)"), column: column)
        }
    }

    /// Stops the program if a record's entity is not interchangeable with the entity of the handle.
    ///
    /// In another entity, the column with the same index may be a different property.
    private func require(_ other: DynamicEntity) {
        guard !entity.isSame(as: other) else { return }
        guard entity.name == other.name, entity.description.hasSameColumns(as: other.description) else {
            fatalError(
                "the handle of \(entity.name).\(name) was used for a record of \(other.name); resolve the name in that entity"
            )
        }
    }
}

/// An assignment of a value to a property of a record without a Swift type.
///
/// The name and the value of an assignment are checked when a record is created from it, not when the assignment is
/// created.
public struct DynamicAssignment: Sendable {
    let name: String
    let value: @Sendable () throws -> StoredValue

    /// Returns an assignment of a value to a property that a handle identifies.
    public static func set<Value>(_ attribute: DynamicAttribute<Value>, to value: Value) -> DynamicAssignment {
        DynamicAssignment(name: attribute.name) { try value.storedValue() }
    }

    /// Returns an assignment of a value to the property with a name; the value `nil` means null.
    public static func set(_ name: String, to value: (any AttributeValue)?) -> DynamicAssignment {
        DynamicAssignment(name: name) { try value?.storedValue() ?? .null }
    }
}
