import StrataCore

/// An attribute or a to-one relationship of an entity whose records have no Swift type.
///
/// ``RecordEntity/attribute(_:as:)`` and ``RecordEntity/reference(_:as:)`` create a handle. They resolve the name once
/// and compare the name and the type with the model. Afterwards `record[attribute]` returns the value: an optional if
/// the attribute may be null.
public struct DynamicAttribute<Value: AttributeValue>: Sendable {
    /// The attribute's or relationship's name.
    public var name: String { entity.description.columns[column].name }
    /// The entity.
    public let entity: DynamicEntity
    /// The index of its column.
    let column: Int

    init(_ entity: DynamicEntity, column: Int) {
        self.entity = entity
        self.column = column
    }

    /// Returns the value in a record.
    func value(in record: DynamicRecord) -> Value {
        require(record.entity)
        do { return try Value(storedValue: record.values[column]) } catch {
            // A record contains only values that fit, and the type of the handle was compared with the type of the
            // column.
            fatalError("\(entity.name).\(name) is a \(Value.self), but the record contains another value: \(error)")
        }
    }

    /// Sets the value in a record.
    ///
    /// If the store cannot save the value, for example a decimal of more than 18 digits, the save throws an error.
    func write(_ value: Value, to record: inout DynamicRecord) {
        require(record.entity)
        do { record.write(fitting: try value.storedValue(), column: column) } catch {
            record.note(error as? ValueError ?? ValueError("\(error)"), column: column)
        }
    }

    /// Checks that a record has the entity of the handle.
    ///
    /// Another entity may have a column at the same index only by chance.
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
public struct DynamicAssignment: Sendable {
    let name: String
    let value: @Sendable () throws -> StoredValue

    /// Returns an assignment of a value to a property, by its handle.
    public static func set<Value>(_ attribute: DynamicAttribute<Value>, to value: Value) -> DynamicAssignment {
        DynamicAssignment(name: attribute.name) { try value.storedValue() }
    }

    /// Returns an assignment of a value to a property, by its name; `nil` is null.
    public static func set(_ name: String, to value: (any AttributeValue)?) -> DynamicAssignment {
        DynamicAssignment(name: name) { try value?.storedValue() ?? .null }
    }
}
