import StrataPersistence
import StrataStoreKit

/// The context of one check: the store that is checked, and the list of violations that were found.
final class ContractProbe {
    let rule: String
    let store: any PersistentStore
    private(set) var violations: [ContractViolation] = []

    init(rule: String, store: any PersistentStore) {
        self.rule = rule
        self.store = store
    }

    func fail(_ detail: String) {
        violations.append(ContractViolation(rule: rule, detail: detail))
    }

    func expect(_ condition: Bool, _ detail: @autoclosure () -> String) {
        if !condition { fail(detail()) }
    }

    func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: @autoclosure () -> String) {
        if found != wanted { fail("\(what()): \(found), not \(wanted)") }
    }

    /// Runs `body`, and adds a violation if it does not throw an error with the expected code.
    @discardableResult
    func expectError(
        _ code: PersistenceError.Code, _ what: String, _ body: () throws -> Void
    ) -> PersistenceError? {
        do {
            try body()
            fail("\(what): no error, not “\(code)”")
        } catch let error as PersistenceError {
            if error.code == code { return error }
            fail("\(what): “\(error.code)” (\(error)), not “\(code)”")
        } catch {
            fail("\(what): \(error), not “\(code)”")
        }
        return nil
    }
}

// MARK: - Rows

extension ContractProbe {
    /// Returns values for a row of an entity, in the order of the entity's columns.
    ///
    /// A missing value is null, or an empty string or 0 if the column is mandatory.
    func values(_ entity: String, _ given: [String: StoredValue]) throws -> [StoredValue] {
        try store.model.entity(named: entity).columns.map { column in
            if let value = given[column.name] { return value }
            if column.isOptional { return .null }
            return column.type == .string ? .string("") : .integer(0)
        }
    }

    func insertion(_ entity: String, id: Int64, _ given: [String: StoredValue] = [:]) throws -> ChangeSet.Insertion {
        ChangeSet.Insertion(id: id, values: try values(entity, given))
    }

    /// Saves new rows, and adds a violation if a conflict occurs.
    func insert(_ entity: String, _ rows: [(id: Int64, values: [String: StoredValue])]) throws {
        var changes = ChangeSet()
        changes[entity].insertions = try rows.map { try insertion(entity, id: $0.id, $0.values) }
        try save(changes)
    }

    func save(_ changes: ChangeSet) throws {
        let conflicts = try store.save(changes)
        if !conflicts.isEmpty { fail("the save reported a conflict: \(conflicts.map(\.id))") }
    }

    /// Returns an update of a row from its current state to other values.
    func update(_ entity: String, id: Int64, _ given: [String: StoredValue]) throws -> ChangeSet.Update {
        let description = try store.model.entity(named: entity)
        var row = try row(entity, id) ?? StoredRow(id: id, version: 1, values: try values(entity, [:]))
        let places = given.keys.compactMap { description.columnIndex($0) }.sorted()
        for place in places { row.values[place] = given[description.columns[place].name] ?? .null }
        return ChangeSet.Update(id: id, expectedVersion: row.version, values: row.values, changedColumns: places)
    }

    func row(_ entity: String, _ id: Int64) throws -> StoredRow? {
        try store.rows(StoreRequest(entity, where: .compare(.property("id"), .equal, .constant(.integer(id))))).first
    }

    func value(_ entity: String, id: Int64, _ property: String) throws -> StoredValue? {
        let index = try store.model.entity(named: entity).columnIndex(property)
        return try index.flatMap { index in try row(entity, id)?.values[index] }
    }

    func ids(
        _ entity: String, where condition: FetchCondition? = nil, sort: [StoreRequest.Sort] = [], limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Int64] {
        let request = StoreRequest(entity, where: condition, sort: sort, limit: limit, offset: offset)
        return try store.rows(request).map(\.id)
    }
}
