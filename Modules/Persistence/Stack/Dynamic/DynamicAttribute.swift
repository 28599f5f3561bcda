import StrataCore

/// An attribute or a to-one relationship of an entity whose records have no type: its name, resolved once.
///
/// Made by ``RecordEntity/attribute(_:as:)`` and ``RecordEntity/reference(_:as:)``, which compare name and type with the model. From then on
/// `record[attribute]` finds what it says: a value where the attribute is mandatory, an optional where it may be null.
public struct DynamicAttribute<Value: AttributeValue>: Sendable {
    /// The attribute's or relationship's name.
    public var name: String { entity.description.columns[column].name }
    /// The entity.
    public let entity: DynamicEntity
    /// The place of its column.
    let column: Int

    init(_ entity: DynamicEntity, column: Int) {
        self.entity = entity
        self.column = column
    }

    /// The value in a record.
    func value(in record: DynamicRecord) -> Value {
        require(record.entity)
        do { return try Value(storedValue: record.values[column]) } catch {
            // A record is made of values that fit, and the handle's type was compared with the column's.
            fatalError("\(entity.name).\(name) is a \(Value.self), and the record holds what is none: \(error)")
        }
    }

    /// Gives a record another value.
    ///
    /// What no store can keep, a decimal of more than 18 digits, is an error of the save.
    func write(_ value: Value, to record: inout DynamicRecord) {
        require(record.entity)
        do { record.write(fitting: try value.storedValue(), column: column) } catch {
            record.note(error as? ValueError ?? ValueError("\(error)"), column: column)
        }
    }

    /// A handle is of one entity; that another record has a column there would be chance.
    private func require(_ other: DynamicEntity) {
        guard !entity.isSame(as: other) else { return }
        guard entity.name == other.name, entity.description.hasSameColumns(as: other.description) else {
            fatalError(
                "the handle of \(entity.name).\(name) was used for a record of \(other.name); resolve the name in that entity"
            )
        }
    }
}

/// A property of a record without a type, and the value that it gets.
public struct DynamicAssignment: Sendable {
    let name: String
    let value: @Sendable () throws -> StoredValue

    /// Gives a property a value, by its handle.
    public static func set<Value>(_ attribute: DynamicAttribute<Value>, to value: Value) -> DynamicAssignment {
        DynamicAssignment(name: attribute.name) { try value.storedValue() }
    }

    /// Gives a property a value, by its name; `nil` is null.
    public static func set(_ name: String, to value: (any AttributeValue)?) -> DynamicAssignment {
        DynamicAssignment(name: name) { try value?.storedValue() ?? .null }
    }
}
