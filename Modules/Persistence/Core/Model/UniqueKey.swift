/// A unique key of an entity: columns whose values together must differ between the entity's rows.
///
/// It consists of one unique column, or of the columns of a uniqueness constraint. A row that has null in one of the
/// columns is exempt, as in SQL.
///
/// A store enforces the keys in ``EntityDescription/uniqueKeys``; it needs an index for each. The identifier is not
/// among them.
///
/// ## Topics
///
/// ### Columns
///
/// - ``columns``
/// - ``name(in:)``
///
/// ### Values
///
/// - ``value(of:)``
/// - ``value(_:)``
/// - ``UniqueValue``
public struct UniqueKey: Sendable, Hashable {
    /// The indexes of the key's columns in the entity, in declaration order; at least one.
    public let columns: [Int]

    package init(_ columns: [Int]) { self.columns = columns }

    /// Returns a row's values in the columns of the key; `nil` if one of them is null, because null equals no value.
    ///
    /// - Parameter row: All values of the row, in the order of the entity's columns.
    /// - Returns: The values; `nil` if one of them is null.
    public func value(of row: [StoredValue]) -> UniqueValue? { value { row[$0] } }

    /// Returns a row's values in the columns of the key.
    ///
    /// - Parameter value: A closure that returns the row's value in a column; `nil` if the row has none.
    /// - Returns: The values; `nil` if one of them is null or missing.
    /// - Throws: The error that `value` throws.
    public func value(_ value: (Int) throws -> StoredValue?) rethrows -> UniqueValue? {
        if columns.count == 1 {
            guard let single = try value(columns[0]), !single.isNull else { return nil }
            return UniqueValue(form: .one(single))
        }
        var parts: [StoredValue] = []
        parts.reserveCapacity(columns.count)
        for column in columns {
            guard let part = try value(column), !part.isNull else { return nil }
            parts.append(part)
        }
        return UniqueValue(form: .several(parts))
    }

    /// Returns the names of the key's columns, as errors and conflicts contain them: `year, number`.
    ///
    /// - Parameter entity: The entity that has the key.
    /// - Returns: The names, separated by a comma and a space.
    public func name(in entity: EntityDescription) -> String {
        columns.map { entity.columns[$0].name }.joined(separator: PersistenceError.attributeSeparator)
    }

    /// Returns the predicate of an error message about duplicate values; the sentence's subject is the row.
    package static func claim(ofColumns count: Int) -> String {
        count == 1
            ? "already has this value, which must be unique"
            : "already has these values, which must be unique together"
    }

    package var claim: String { Self.claim(ofColumns: columns.count) }
}

/// The values of a row in the columns of a ``UniqueKey``; none of them is null.
public struct UniqueValue: Sendable {
    /// The form of the values: most keys have one column, which needs no array.
    fileprivate enum Form: Equatable, Sendable {
        case one(StoredValue)
        case several([StoredValue])
    }

    fileprivate let form: Form

    /// Creates the value of a unique key that has one column.
    ///
    /// - Parameter value: The value; it must not be null.
    public init(_ value: StoredValue) { form = .one(value) }

    fileprivate init(form: Form) { self.form = form }

    /// The values, in the order of the key's columns.
    public var parts: [StoredValue] {
        switch form {
        case .one(let value): [value]
        case .several(let values): values
        }
    }
}

extension UniqueValue: Hashable {
    /// Returns a Boolean value that indicates whether two rows have equal values in the key's columns.
    public static func == (left: UniqueValue, right: UniqueValue) -> Bool { left.form == right.form }

    /// Hashes the values.
    ///
    /// Their count is not hashed, because only values of the same key are compared.
    public func hash(into hasher: inout Hasher) {
        switch form {
        case .one(let value): value.hash(into: &hasher)
        case .several(let values): for value in values { value.hash(into: &hasher) }
        }
    }
}

extension UniqueValue: CustomStringConvertible {
    /// The values as text for errors, separated by commas: `2026, 17`.
    public var description: String { parts.map(\.description).joined(separator: PersistenceError.attributeSeparator) }
}

extension EntityDescription {
    /// The unique keys of the entity: first each unique column, then each uniqueness constraint.
    ///
    /// The columns of one-to-one relationships are included only in the entities of a model; see
    /// ``ManagedObjectModel/entities``.
    @inlinable public var uniqueKeys: [UniqueKey] { storage.uniqueKeys }

    /// Returns the unique key whose ``UniqueKey/name(in:)`` is a name; `nil` if there is none.
    package func uniqueKey(named name: String) -> UniqueKey? { uniqueKeys.first { $0.name(in: self) == name } }

    /// Returns a Boolean value that indicates whether a column is part of a unique key.
    package func isInUniqueKey(_ column: Int) -> Bool { storage.isInUniqueKey[column] }

    /// The columns of each declared index over several columns, except those that a uniqueness constraint already
    /// indexes.
    package var indexedKeys: [[Int]] {
        indexes.compactMap { places(of: $0) }.filter { columns in !uniqueKeys.contains { $0.columns == columns } }
    }

    /// Returns the column indexes of named properties; `nil` if a name is unknown.
    func places(of names: [String]) -> [Int]? {
        let places = names.compactMap(columnIndex)
        return places.count == names.count ? places : nil
    }
}
