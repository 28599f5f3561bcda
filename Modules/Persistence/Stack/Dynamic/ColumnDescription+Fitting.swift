import Foundation
import StrataCore

/// The vowels as a set of characters, because Foundation's text search would load all of its language tables.
private let vowels: Set<Character> = ["a", "e", "i", "o", "u"]

extension ColumnDescription {
    /// Returns a value converted to the form in which the column stores it.
    ///
    /// - Throws: ``ValueError`` with the kind of the column if the value is of another kind, or if it is null and the
    ///   column is mandatory.
    func fitting(_ value: StoredValue) throws -> StoredValue {
        if value.isNull {
            guard isOptional else { throw ValueError("null, where \(kind) is expected") }
            return value
        }
        if destination != nil {
            guard case .integer(let id) = value, identifierRange.contains(id) else {
                throw ValueError(
                    "\(value.kindName == "integer" ? "a number that is not an identifier" : value.spoken), where "
                        + "\(kind) is expected"
                )
            }
            return value
        }
        guard let fitting = value.converted(to: type) else {
            throw ValueError("\(value.spoken), where \(kind) is expected")
        }
        return fitting
    }

    /// A description of the column's values for messages, for example `an optional string` or `a reference to
    /// Customers`.
    var kind: String {
        let kind = destination.map { "reference to \($0)" } ?? type.description
        if isOptional { return "an optional \(kind)" }
        return (kind.first.map(vowels.contains) ?? false ? "an " : "a ") + kind
    }

    /// The Swift type for a handle of the column, not optional even if the column is.
    var standardType: any AttributeValue.Type {
        if destination != nil { return RecordID<DynamicRecord>.self }
        return switch type {
        case .string: String.self
        case .integer16: Int16.self
        case .integer32: Int32.self
        case .integer64: Int.self
        case .double: Double.self
        case .decimal: Decimal.self
        case .boolean: Bool.self
        case .date: Date.self
        case .day: Day.self
        case .timeOfDay: TimeOfDay.self
        case .uuid: UUID.self
        case .binary: Data.self
        }
    }

    /// Returns a Boolean value that indicates whether a Swift type can represent exactly the values of the column.
    func isHeld<Value: AttributeValue>(by type: Value.Type) -> Bool {
        func isHeld<Standard: AttributeValue>(_ standard: Standard.Type) -> Bool {
            isOptional ? Value.self == Standard?.self : Value.self == Standard.self
        }
        if isHeld(standardType) { return true }
        return destination == nil && self.type == .integer64 && isHeld(Int64.self)
    }

    /// The name of the Swift type for handles of the column, for messages.
    var standardTypeName: String {
        let name = destination == nil ? "\(standardType)" : "DynamicRecord.ID"
        return isOptional ? "\(name)?" : name
    }
}

extension EntityDescription {
    /// Returns a Boolean value that indicates whether rows of two entities are interchangeable.
    ///
    /// They are if both entities have columns of the same names and kinds in the same order.
    func hasSameColumns(as other: EntityDescription) -> Bool {
        if isSame(as: other) { return true }
        return columns.elementsEqual(other.columns) {
            $0.name == $1.name && $0.type == $1.type && $0.isOptional == $1.isOptional
                && $0.destination == $1.destination
        }
    }
}

extension StoredValue {
    /// A description of the value's kind for messages, for example `a string` or `an integer`.
    fileprivate var spoken: String {
        switch self {
        case .null: "null"
        default: (kindName.first.map(vowels.contains) ?? false ? "an " : "a ") + kindName
        }
    }
}
