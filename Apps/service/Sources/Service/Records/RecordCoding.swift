import Foundation
import StrataPersistence

/// The conversion of records to and from JSON, which the description of their entity determines.
struct RecordCoding<Record: PersistentRecord>: Sendable {
    private let entity: DynamicEntity
    private let columns: [ColumnDescription]

    init(_ model: ManagedObjectModel) throws {
        entity = try model.dynamicEntity(Record.entity.name)
        columns = entity.description.columns
    }

    // MARK: Writing

    /// Returns a record as a JSON object: `id`, the attributes, and the references as identifiers.
    func text(_ record: Record) throws -> String {
        try DynamicRecord(entity, try Record.entity.row(of: record)).json()
    }

    /// Returns a record as a JSON object with the version of its row.
    func text(_ found: Versioned<Record>) throws -> String {
        try text(found.record).dropLast() + ",\"version\":\(found.version)}"
    }

    // MARK: Reading

    /// Returns a new record from the members of an object.
    ///
    /// - Throws: ``Problem`` or `DecodingError` if a member is unknown or has another type, and `PersistenceError` with
    ///   all broken rules.
    func record(_ members: [String: JSON], id: Record.ID) throws -> Record {
        guard members["id"] == nil else {
            throw Problem.badRequest("the service assigns the id; omit the member", pointer: "/id")
        }
        return try make(members, id: id)
    }

    /// Returns a record with the values of an object.
    ///
    /// An immutable attribute that the object lacks is unchanged.
    func replacement(_ members: [String: JSON], of stored: Record) throws -> Record {
        let values = try Record.entity.row(of: stored).values
        let missing = columns.indices.filter { columns[$0].isImmutable && members[columns[$0].name] == nil }
        return try make(try checkedID(members, stored.id), id: stored.id, missing.map { ($0, values[$0]) })
    }

    /// Returns a record with the members of a merge patch: absent members are unchanged, and null is null.
    func patched(_ members: [String: JSON], of stored: Record) throws -> Record {
        let values = try Record.entity.row(of: stored).values
        let missing = columns.indices.filter { members[columns[$0].name] == nil }
        return try make(try checkedID(members, stored.id), id: stored.id, missing.map { ($0, values[$0]) })
    }

    private func checkedID(_ members: [String: JSON], _ id: Record.ID) throws -> [String: JSON] {
        if let given = members["id"], given != .integer(id.rawValue) {
            throw Problem.badRequest("the id cannot be changed; omit the member", pointer: "/id")
        }
        return members
    }

    private func make(
        _ members: [String: JSON], id: Record.ID, _ unchanged: [(column: Int, value: StoredValue)] = []
    ) throws -> Record {
        var members = members
        (members["id"], members["version"]) = (nil, nil)
        for column in columns where column.type.integerRange != nil {
            guard case .decimal? = members[column.name] else { continue }
            throw Problem.badRequest("the value is not a whole number of 64 bits", pointer: "/\(column.name)")
        }
        var failures = missing(members, id: id, unchanged: unchanged.map(\.column))
        guard failures.isEmpty else { throw Self.broken(failures) }
        // Placeholders make the object complete; the stored values replace them.
        for (column, _) in unchanged { members[columns[column].name] = placeholder(columns[column]) }
        let decoded = try DynamicRecord(
            entity, json: try JSON.object(members).text, id: RecordID(rawValue: id.rawValue))
        var values = decoded.values
        for (column, value) in unchanged { values[column] = value }
        for index in columns.indices where !values[index].isNull {
            guard let domain = columns[index].attribute?.domain else { continue }
            do { values[index] = try domain.canonicalize(values[index]) } catch {
                let rule = ValidationFailure.Rule.rejected(by: domain.name, reason: "\(error)")
                failures.append(failure(index, id: id, values[index], rule: rule))
            }
        }
        guard failures.isEmpty else { throw Self.broken(failures) }
        return try Record.entity.record(from: StoredRow(id: id.rawValue, values: values))
    }

    private func placeholder(_ column: ColumnDescription) -> JSON? {
        if column.isOptional { return .null }
        if column.attribute?.defaultValue != nil { return nil }
        if column.destination != nil { return 1 }
        return switch column.type {
        case .string: ""
        case .integer16, .integer32, .integer64, .double, .decimal: 0
        case .boolean: false
        case .date: "2001-01-01T00:00:00Z"
        case .day: "2001-01-01"
        case .timeOfDay: "00:00:00"
        case .uuid: "00000000-0000-0000-0000-000000000000"
        case .binary: ""
        }
    }

    private func missing(_ members: [String: JSON], id: Record.ID, unchanged: [Int]) -> [ValidationFailure] {
        columns.indices.filter { index in
            let column = columns[index]
            guard !column.isOptional, !unchanged.contains(index) else { return false }
            return members[column.name].map { $0 == .null } ?? (column.attribute?.defaultValue == nil)
        }.map { failure($0, id: id, .null, rule: .mandatory) }
    }

    private func failure(
        _ column: Int, id: Record.ID, _ value: StoredValue, rule: ValidationFailure.Rule
    ) -> ValidationFailure {
        ValidationFailure(
            entity: entity.name, id: id.rawValue, attribute: columns[column].name, value: value, rule: rule)
    }

    private static func broken(_ failures: [ValidationFailure]) -> PersistenceError {
        var error = PersistenceError(.validation, "the record breaks rules", entity: Record.entity.name)
        error.failures = failures
        return error
    }
}
