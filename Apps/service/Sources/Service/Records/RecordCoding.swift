import Foundation
import StrataPersistence

/// The values of a JSON object, which are converted and checked before a transaction begins.
struct RecordDraft: Sendable {
    /// One value for each column: that of the object, or else the default.
    fileprivate let values: [StoredValue]
    /// The columns whose values the object contains.
    fileprivate let given: Set<Int>
}

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
        var text = try text(found.record)
        text.removeLast()
        return text + ",\"version\":\(found.version)}"
    }

    // MARK: Reading

    /// Returns the values of an object.
    ///
    /// - Parameters:
    ///   - members: The members of the object. The version is ignored.
    ///   - id: The identifier that the object may contain; `nil` for a new record.
    /// - Returns: The values.
    /// - Throws: ``Problem`` or `DecodingError` if a member is unknown or has another type, and `PersistenceError` with
    ///   all broken rules.
    func draft(_ members: [String: JSON], id: Record.ID? = nil) throws -> RecordDraft {
        var members = members
        if let given = members["id"], given != id.map({ .integer($0.rawValue) }) {
            throw Problem.badRequest("the service assigns the id; omit the member", pointer: "/id")
        }
        (members["id"], members["version"]) = (nil, nil)
        let given = Set(columns.indices.filter { members[columns[$0].name] != nil })
        let nulls = given.filter { members[columns[$0].name] == .null && !columns[$0].isOptional }
        try require(nulls.sorted().map { failure($0, .null, rule: .mandatory) })
        var values = try decoded(members).values
        var failures: [ValidationFailure] = []
        for index in given.sorted() where !values[index].isNull {
            guard let domain = columns[index].attribute?.domain else { continue }
            do { values[index] = try domain.canonicalize(values[index]) } catch {
                let rule = ValidationFailure.Rule.rejected(by: domain.name, reason: "\(error)")
                failures.append(failure(index, values[index], rule: rule))
            }
        }
        try require(failures)
        return RecordDraft(values: values, given: given)
    }

    /// Returns a new record.
    ///
    /// - Throws: `PersistenceError` if a mandatory value is missing; the error of the record's initializer.
    func record(_ draft: RecordDraft, id: Record.ID) throws -> Record {
        try require(missing(draft).map { failure($0, .null, rule: .mandatory) })
        return try Record.entity.record(from: StoredRow(id: id.rawValue, values: draft.values))
    }

    /// Returns a record with the values of a draft; an immutable attribute that it lacks is unchanged.
    ///
    /// - Throws: The errors of ``record(_:id:)``.
    func replacement(_ draft: RecordDraft, of stored: Record) throws -> Record {
        var (row, values) = (try Record.entity.row(of: stored), draft.values)
        let missing = missing(draft).filter { !columns[$0].isImmutable }
        try require(missing.map { failure($0, .null, rule: .mandatory) })
        for index in columns.indices where columns[index].isImmutable && !draft.given.contains(index) {
            values[index] = row.values[index]
        }
        row.values = values
        return try Record.entity.record(from: row)
    }

    /// Returns a record with the values of a merge patch: absent members are unchanged, and null is null.
    ///
    /// - Throws: The error of the record's initializer.
    func patched(_ draft: RecordDraft, of stored: Record) throws -> Record {
        var row = try Record.entity.row(of: stored)
        for index in draft.given { row.values[index] = draft.values[index] }
        return try Record.entity.record(from: row)
    }

    // MARK: Values

    private func decoded(_ members: [String: JSON]) throws -> DynamicRecord {
        // Placeholders make the record complete; callers reject or replace them.
        var members = members
        for column in columns where members[column.name] == nil && isRequired(column) {
            members[column.name] = placeholder(column)
        }
        for column in columns where column.type.integerRange != nil {
            guard case .decimal? = members[column.name] else { continue }
            throw Problem.badRequest("the value is not a whole number of 64 bits", pointer: "/\(column.name)")
        }
        guard let assignments = assignments(members) else {
            return try DynamicRecord(entity, json: try JSON.object(members).text, id: Self.anyID)
        }
        do { return try DynamicRecord(entity, id: Self.anyID, assignments) } catch let error as PersistenceError {
            throw Problem.badRequest(error.message, pointer: error.attribute.map { "/\($0)" })
        }
    }

    /// Returns the assignments of the members, or `nil` if a text or an unknown name must be parsed.
    private func assignments(_ members: [String: JSON]) -> [DynamicAssignment]? {
        var assignments: [DynamicAssignment] = []
        for column in columns {
            switch (members[column.name], column.type) {
            case (nil, _): continue
            case (.null?, _): assignments.append(.set(column.name, to: nil))
            case (.string(let text)?, .string): assignments.append(.set(column.name, to: text))
            case (.integer(let number)?, .integer64): assignments.append(.set(column.name, to: number))
            case (.boolean(let isTrue)?, .boolean): assignments.append(.set(column.name, to: isTrue))
            default: return nil
            }
        }
        return assignments.count == members.count ? assignments : nil
    }

    private static var anyID: DynamicRecord.ID { 1 }

    private func isRequired(_ column: ColumnDescription) -> Bool {
        !column.isOptional && column.attribute?.defaultValue == nil
    }

    private func missing(_ draft: RecordDraft) -> [Int] {
        columns.indices.filter { isRequired(columns[$0]) && !draft.given.contains($0) }
    }

    private func placeholder(_ column: ColumnDescription) -> JSON {
        if column.destination != nil { return 1 }
        return switch column.type {
        case .string, .binary: ""
        case .integer16, .integer32, .integer64, .double, .decimal: 0
        case .boolean: false
        case .date: "2001-01-01T00:00:00Z"
        case .day: "2001-01-01"
        case .timeOfDay: "00:00:00"
        case .uuid: "00000000-0000-0000-0000-000000000000"
        }
    }

    private func failure(
        _ column: Int, _ value: StoredValue, rule: ValidationFailure.Rule
    ) -> ValidationFailure {
        ValidationFailure(entity: entity.name, id: 0, attribute: columns[column].name, value: value, rule: rule)
    }

    private func require(_ failures: [ValidationFailure]) throws {
        guard !failures.isEmpty else { return }
        var error = PersistenceError(.validation, "the record breaks rules", entity: entity.name)
        error.failures = failures
        throw error
    }
}
