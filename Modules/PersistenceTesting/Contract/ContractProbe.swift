import StrataPersistence
import StrataStoreKit

/// The context of one check: the store that is checked, and the list of violations that were found.
///
/// A probe belongs to one check and to the thread that runs the check. Its methods do not throw errors for wrong
/// results. They add violations instead, so that one run of a check reports as many of them as possible. The methods
/// that read or write rows throw the errors of the store. The check then ends with the violation “the store threw …”.
final class ContractProbe {
    /// The rule of the check, which each violation contains.
    let rule: String
    /// The store that is checked; it was empty when the check began.
    let store: any PersistentStore
    /// The violations that were found so far, in order.
    private(set) var violations: [ContractViolation] = []

    init(rule: String, store: any PersistentStore) {
        self.rule = rule
        self.store = store
    }

    /// Adds a violation.
    ///
    /// - Parameter detail: The behavior of the store.
    func fail(_ detail: String) {
        violations.append(ContractViolation(rule: rule, detail: detail))
    }

    /// Adds a violation if a condition is false; the text is evaluated only in that case.
    func expect(_ condition: Bool, _ detail: @autoclosure () -> String) {
        if !condition { fail(detail()) }
    }

    /// Adds a violation if two values differ.
    ///
    /// - Parameters:
    ///   - found: The value that the store returned.
    ///   - wanted: The value that the rule requires.
    ///   - what: The name of the value, with which the violation begins.
    func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: @autoclosure () -> String) {
        if found != wanted { fail("\(what()): \(found), not \(wanted)") }
    }

    /// Runs `body`, and adds a violation if it does not throw an error with the expected code.
    ///
    /// An error that is not a `PersistenceError` is a violation too, because callers match errors by their codes.
    ///
    /// - Parameters:
    ///   - code: The expected code.
    ///   - what: The name of the operation, with which the violation begins.
    ///   - body: A closure that must throw an error.
    /// - Returns: The error if it has the expected code, so that a check can also inspect its entity, attribute and
    ///   location.
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

    /// Returns the insertion of a row with an explicit identifier and the version 1.
    ///
    /// - Throws: `PersistenceError` if the model has no such entity.
    func insertion(_ entity: String, id: Int64, _ given: [String: StoredValue] = [:]) throws -> ChangeSet.Insertion {
        ChangeSet.Insertion(id: id, values: try values(entity, given))
    }

    /// Saves new rows, and adds a violation if a conflict occurs.
    func insert(_ entity: String, _ rows: [(id: Int64, values: [String: StoredValue])]) throws {
        var changes = ChangeSet()
        changes[entity].insertions = try rows.map { try insertion(entity, id: $0.id, $0.values) }
        try save(changes)
    }

    /// Saves changes, and adds a violation if a conflict occurs.
    ///
    /// - Throws: The error of the store, for example if a unique value exists already.
    func save(_ changes: ChangeSet) throws {
        let conflicts = try store.save(changes)
        if !conflicts.isEmpty { fail("the save reported a conflict: \(conflicts.map(\.id))") }
    }

    /// Returns an update of a row from its current state to other values.
    ///
    /// The update expects the version that is stored now. If the row does not exist, the update expects version 1, and
    /// the save of the update reports a conflict.
    func update(_ entity: String, id: Int64, _ given: [String: StoredValue]) throws -> ChangeSet.Update {
        let description = try store.model.entity(named: entity)
        var row = try row(entity, id) ?? StoredRow(id: id, version: 1, values: try values(entity, [:]))
        let places = given.keys.compactMap { description.columnIndex($0) }.sorted()
        for place in places { row.values[place] = given[description.columns[place].name] ?? .null }
        return ChangeSet.Update(id: id, expectedVersion: row.version, values: row.values, changedColumns: places)
    }

    /// Returns the row with an identifier, or `nil` if it does not exist; the row is found with a condition.
    func row(_ entity: String, _ id: Int64) throws -> StoredRow? {
        try store.rows(StoreRequest(entity, where: .compare(.property("id"), .equal, .constant(.integer(id))))).first
    }

    /// Returns the value of a property in one row.
    ///
    /// The result is `nil` if the row or the column does not exist, and `.null` if the value is null.
    func value(_ entity: String, id: Int64, _ property: String) throws -> StoredValue? {
        let index = try store.model.entity(named: entity).columnIndex(property)
        return try index.flatMap { index in try row(entity, id)?.values[index] }
    }

    /// Returns the identifiers of the rows that a request selects, in the order of the store.
    ///
    /// Most checks compare these identifiers, because they contain the selection and the order in one short list.
    func ids(
        _ entity: String, where condition: FetchCondition? = nil, sort: [StoreRequest.Sort] = [], limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Int64] {
        let request = StoreRequest(entity, where: condition, sort: sort, limit: limit, offset: offset)
        return try store.rows(request).map(\.id)
    }
}
