/// Columns whose values, taken together, no two rows of an entity may have: one unique column, or those of a uniqueness constraint.
///
/// A row one of whose values is null is exempt, as in SQL.
public struct UniqueKey: Sendable, Hashable {
    /// The places of the columns in the entity, in the order in which they were declared; one or more.
    public let columns: [Int]

    init(_ columns: [Int]) { self.columns = columns }

    /// What a row has in the columns; `nil` where a part is null, which is equal to nothing.
    ///
    /// - Parameter row: All values of a row, in the order of the entity's columns.
    /// - Returns: The value.
    public func value(of row: [StoredValue]) -> UniqueValue? { value { row[$0] } }

    /// What a row has in the columns, as far as it is given.
    ///
    /// - Parameter value: Gives the value of a column; `nil` where the row has none.
    /// - Returns: The value; `nil` where a part is null or not given.
    /// - Throws: What `value` throws.
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

    /// The names of the columns, as errors and conflicts say them: `year, number`.
    ///
    /// - Parameter entity: The entity whose key it is.
    /// - Returns: The names, with a comma and a space between them.
    public func name(in entity: EntityDescription) -> String {
        columns.map { entity.columns[$0].name }.joined(separator: PersistenceError.attributeSeparator)
    }

    /// What is said of who has the values, behind a subject: so many columns are unique together.
    package static func claim(ofColumns count: Int) -> String {
        count == 1
            ? "has this value already, and it is declared unique"
            : "has these values already, and they are declared unique together"
    }

    package var claim: String { Self.claim(ofColumns: columns.count) }
}

/// What a row has in the columns of a ``UniqueKey``; none of it is null.
public struct UniqueValue: Sendable {
    /// Most keys have one column, whose value then needs no array.
    fileprivate enum Form: Equatable, Sendable {
        case one(StoredValue)
        case several([StoredValue])
    }

    fileprivate let form: Form

    /// The value of a key of one column.
    ///
    /// - Parameter value: The value; not null.
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
    /// Whether the values are equal, each to each.
    public static func == (left: UniqueValue, right: UniqueValue) -> Bool { left.form == right.form }

    /// Hashes the values; one is hashed as it is, since values of one key only are compared.
    public func hash(into hasher: inout Hasher) {
        switch form {
        case .one(let value): value.hash(into: &hasher)
        case .several(let values): for value in values { value.hash(into: &hasher) }
        }
    }
}

extension UniqueValue: CustomStringConvertible {
    /// The values as an error shows them: `2026, 17`.
    public var description: String { parts.map(\.description).joined(separator: PersistenceError.attributeSeparator) }
}

extension EntityDescription {
    /// The unique columns one by one, then the uniqueness constraints: what no two rows may both have.
    ///
    /// Of one-to-one relationships only the model knows; see ``ManagedObjectModel/entities``.
    @inlinable public var uniqueKeys: [UniqueKey] { storage.uniqueKeys }

    /// The key of a name, as ``UniqueKey/name(in:)`` gives it.
    package func uniqueKey(named name: String) -> UniqueKey? { uniqueKeys.first { $0.name(in: self) == name } }

    /// Whether a column is part of any unique key.
    package func isInUniqueKey(_ column: Int) -> Bool { storage.isInUniqueKey[column] }

    /// The columns of each index over several, without those that a uniqueness constraint has already.
    package var indexedKeys: [[Int]] {
        indexes.compactMap { places(of: $0) }.filter { columns in !uniqueKeys.contains { $0.columns == columns } }
    }

    /// The columns of names; `nil` where there is none of one of them.
    func places(of names: [String]) -> [Int]? {
        let places = names.compactMap(columnIndex)
        return places.count == names.count ? places : nil
    }
}
