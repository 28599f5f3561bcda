import Foundation
import StrataCore

/// As characters: Foundation's search for a text would bring all of its tables of languages along.
private let vowels: Set<Character> = ["a", "e", "i", "o", "u"]

extension ColumnDescription {
    /// A value in the form in which the column holds it.
    ///
    /// - Throws: ``ValueError`` that says what the column is, when the value is of another kind or null may not be.
    func fitting(_ value: StoredValue) throws -> StoredValue {
        if value.isNull {
            guard isOptional else { throw ValueError("null, where \(kind) is expected") }
            return value
        }
        if destination != nil {
            guard case .integer(let id) = value, identifierRange.contains(id) else {
                throw ValueError(
                    "\(value.kindName == "integer" ? "a number that is no identifier" : value.spoken), where \(kind) is expected"
                )
            }
            return value
        }
        guard let fitting = value.converted(to: type) else {
            throw ValueError("\(value.spoken), where \(kind) is expected")
        }
        return fitting
    }

    /// What the column holds, for messages: `an optional string`, `a reference to Customers`.
    var kind: String {
        let kind = destination.map { "reference to \($0)" } ?? type.description
        if isOptional { return "an optional \(kind)" }
        return (kind.first.map(vowels.contains) ?? false ? "an " : "a ") + kind
    }

    /// The Swift type that a handle of the column has, but for whether it is optional.
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

    /// Whether a handle of a Swift type can hold every value of the column, and no other.
    func isHeld<Value: AttributeValue>(by type: Value.Type) -> Bool {
        func isHeld<Standard: AttributeValue>(_ standard: Standard.Type) -> Bool {
            isOptional ? Value.self == Standard?.self : Value.self == Standard.self
        }
        if isHeld(standardType) { return true }
        return destination == nil && self.type == .integer64 && isHeld(Int64.self)
    }

    /// The Swift type of the column's handles, as it is written.
    var standardTypeName: String {
        let name = destination == nil ? "\(standardType)" : "DynamicRecord.ID"
        return isOptional ? "\(name)?" : name
    }
}

extension EntityDescription {
    /// Whether both have columns of the same names and kinds in the same order, so that rows of one are rows of the other.
    func hasSameColumns(as other: EntityDescription) -> Bool {
        if isSame(as: other) { return true }
        return columns.elementsEqual(other.columns) {
            $0.name == $1.name && $0.type == $1.type && $0.isOptional == $1.isOptional
                && $0.destination == $1.destination
        }
    }
}

extension StoredValue {
    /// What it is, for messages: `a string`, `an integer`.
    fileprivate var spoken: String {
        switch self {
        case .null: "null"
        default: (kindName.first.map(vowels.contains) ?? false ? "an " : "a ") + kindName
        }
    }
}
