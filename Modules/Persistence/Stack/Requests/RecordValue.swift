public import Foundation
import StrataCore

/// A value of a record: a property, a property of a referenced object, a part of a date, or a calculation.
///
/// It is a key of groups, or a column of a selection.
///
/// ```swift
/// let months = try await context.aggregate(
///     FetchRequest<Employee>(), by: .yearMonth(\.dateHired), select: .count(), .sum(\.salary))
/// ```
///
/// ## Topics
///
/// ### Properties
///
/// - ``property(_:)``
/// - ``related(_:_:)-(_,KeyPath<Destination,Wrapped>Sendable)``
/// - ``related(_:_:)-(_,KeyPath<Destination,Wrapped?>Sendable)``
/// - ``related(_:_:)-(_,KeyPath<Destination,Value>Sendable)``
/// - ``value(_:)``
///
/// ### Parts of dates
///
/// - ``year(_:)-(KeyPath<Record,Date>Sendable)``
/// - ``year(_:)-(KeyPath<Record,Date?>Sendable)``
/// - ``year(_:)-(KeyPath<Record,Day>Sendable)``
/// - ``year(_:)-(KeyPath<Record,Day?>Sendable)``
/// - ``yearMonth(_:)-(KeyPath<Record,Date>Sendable)``
/// - ``yearMonth(_:)-(KeyPath<Record,Date?>Sendable)``
/// - ``yearMonth(_:)-(KeyPath<Record,Day>Sendable)``
/// - ``yearMonth(_:)-(KeyPath<Record,Day?>Sendable)``
/// - ``day(_:)-(KeyPath<Record,Date>Sendable)``
/// - ``day(_:)-(KeyPath<Record,Date?>Sendable)``
public struct RecordValue<Record: ManagedRecord, Value: AttributeValue>: Sendable {
    let operand: @Sendable (RecordEntity<Record>) throws -> FetchOperand

    /// Returns the value that an expression has for each record.
    ///
    /// The type of the result must be that of the expression's values, and an optional if the expression may be null.
    ///
    /// - Parameter operand: The expression, with names of the record's entity.
    /// - Returns: The value.
    public static func value(_ operand: FetchOperand) -> RecordValue { RecordValue { _ in operand } }

    /// Returns the value of a property.
    ///
    /// - Parameter path: The key path of an attribute, a to-one relationship, or the identifier.
    /// - Returns: The value.
    public static func property(_ path: any KeyPath<Record, Value> & Sendable) -> RecordValue {
        RecordValue { try operand(at: path, of: $0) }
    }

    /// Returns the operand of a property of an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the key path does not
    ///   belong to a property of the entity.
    static func operand(
        at path: any PartialKeyPath<Record> & Sendable, of entity: RecordEntity<Record>
    ) throws -> FetchOperand {
        guard let column = entity.column(at: path) else {
            throw PersistenceError(
                .invalidRequest,
                "\((path as AnyKeyPath).text) is not an attribute, to-one relationship or identifier",
                entity: entity.name)
        }
        return .property(column)
    }

    private static func part(
        _ function: FetchFunction, _ path: any PartialKeyPath<Record> & Sendable
    ) -> RecordValue {
        RecordValue { .function(function, try operand(at: path, of: $0)) }
    }

    /// Returns the operand of a property of a referenced object.
    private static func operand<Destination: PersistentRecord>(
        _ reference: any PartialKeyPath<Record> & Sendable, _ path: any PartialKeyPath<Destination> & Sendable,
        of entity: RecordEntity<Record>
    ) throws -> FetchOperand {
        guard case .property(let name) = try operand(at: reference, of: entity) else { return .constant(.null) }
        return .related(name, try RecordValue<Destination, Value>.operand(at: path, of: Destination.entity))
    }

    /// Returns the value of a property of a referenced object; `nil` if the reference is null.
    ///
    /// - Parameters:
    ///   - reference: The to-one relationship of the record.
    ///   - path: The property of the referenced object.
    /// - Returns: The value.
    public static func related<Destination: PersistentRecord, Wrapped>(
        _ reference: any KeyPath<Record, Destination.ID?> & Sendable,
        _ path: any KeyPath<Destination, Wrapped> & Sendable
    ) -> RecordValue where Value == Wrapped? {
        RecordValue { try operand(reference, path, of: $0) }
    }

    /// Returns the value of an optional property of a referenced object; `nil` if the reference or the property is
    /// null.
    ///
    /// - Parameters:
    ///   - reference: The to-one relationship of the record.
    ///   - path: The property of the referenced object.
    /// - Returns: The value.
    public static func related<Destination: PersistentRecord, Wrapped>(
        _ reference: any KeyPath<Record, Destination.ID?> & Sendable,
        _ path: any KeyPath<Destination, Wrapped?> & Sendable
    ) -> RecordValue where Value == Wrapped? {
        RecordValue { try operand(reference, path, of: $0) }
    }

    /// Returns the value of a property of a referenced object, for a mandatory reference.
    ///
    /// - Parameters:
    ///   - reference: The to-one relationship of the record.
    ///   - path: The property of the referenced object.
    /// - Returns: The value.
    public static func related<Destination: PersistentRecord>(
        _ reference: any KeyPath<Record, Destination.ID> & Sendable, _ path: any KeyPath<Destination, Value> & Sendable
    ) -> RecordValue {
        RecordValue { try operand(reference, path, of: $0) }
    }
}

/// The parts of dates, in UTC.
extension RecordValue {
    /// Returns the year of a date in UTC.
    public static func year(_ path: any KeyPath<Record, Date> & Sendable) -> RecordValue where Value == Int {
        part(.year, path)
    }

    /// Returns the year of an optional date in UTC.
    public static func year(_ path: any KeyPath<Record, Date?> & Sendable) -> RecordValue where Value == Int? {
        part(.year, path)
    }

    /// Returns the year of a day.
    public static func year(_ path: any KeyPath<Record, Day> & Sendable) -> RecordValue where Value == Int {
        part(.year, path)
    }

    /// Returns the year of an optional day.
    public static func year(_ path: any KeyPath<Record, Day?> & Sendable) -> RecordValue where Value == Int? {
        part(.year, path)
    }

    /// Returns the month of a date in UTC, with its year: `2026-11`.
    public static func yearMonth(_ path: any KeyPath<Record, Date> & Sendable) -> RecordValue where Value == String {
        part(.yearMonth, path)
    }

    /// Returns the month of an optional date in UTC, with its year: `2026-11`.
    public static func yearMonth(_ path: any KeyPath<Record, Date?> & Sendable) -> RecordValue where Value == String? {
        part(.yearMonth, path)
    }

    /// Returns the month of a day, with its year: `2026-11`.
    public static func yearMonth(_ path: any KeyPath<Record, Day> & Sendable) -> RecordValue where Value == String {
        part(.yearMonth, path)
    }

    /// Returns the month of an optional day, with its year: `2026-11`.
    public static func yearMonth(_ path: any KeyPath<Record, Day?> & Sendable) -> RecordValue where Value == String? {
        part(.yearMonth, path)
    }

    /// Returns the day in UTC that contains a date.
    public static func day(_ path: any KeyPath<Record, Date> & Sendable) -> RecordValue where Value == Day {
        part(.day, path)
    }

    /// Returns the day in UTC that contains an optional date.
    public static func day(_ path: any KeyPath<Record, Date?> & Sendable) -> RecordValue where Value == Day? {
        part(.day, path)
    }
}
