import StrataCore
import StrataInMemory

/// A receiver of the rows of a store's file, which finally checks the relations between the rows.
///
/// The order of the rows in the file is arbitrary, because people merge files. The first fault ends the reading, except
/// during a store check, which reports all faults.
final class ContentsLoader {
    let model: ManagedObjectModel
    /// The columns of each entity, by the entity's index in the model.
    let columns: [[StoredColumn]]
    private let report: ((RowFault) throws -> Void)?
    private var tables: [LoadedTable]
    private var joins: [[(row: JoinRow, offset: Int)]]
    private var marks: [Int: (next: Int64, offset: Int)] = [:]
    /// A Boolean value that indicates whether an entity's next identifier is raised without a fault if a row already
    /// has it.
    ///
    /// People who add rows to a file forget to raise the next identifier. A store check reports this regardless of this
    /// property.
    var raisesMarks = false

    /// - Parameters:
    ///   - model: The store's model.
    ///   - report: A closure that receives each fault, after which the reading continues; if `nil`, the first fault
    ///     ends the reading with a ``FormatError``.
    init(_ model: ManagedObjectModel, report: ((RowFault) throws -> Void)? = nil) {
        self.model = model
        self.report = report
        columns = model.entities.map { $0.columns.map(StoredColumn.init) }
        tables = model.entities.map { _ in LoadedTable() }
        joins = model.joins.map { _ in [] }
    }

    /// Reports a fault.
    ///
    /// - Throws: ``FormatError`` if the fault ends the reading.
    func found(
        _ kind: StoreFault.Kind, _ message: String, entity: String, id: Int64? = nil, attribute: String? = nil,
        at offset: Int
    ) throws {
        let fault = RowFault(
            kind: kind, message: message, entity: entity, id: id, attribute: attribute, offset: offset)
        guard let report else { throw FormatError(fault) }
        try report(fault)
    }

    // MARK: Loading

    /// Stores the next identifier that the file contains for an entity.
    func setMark(_ next: Int64, of entity: Int, at offset: Int) { marks[entity] = (next, offset) }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - row: The row; each value is null or has the type of its column, in its stored form.
    ///   - entity: The index of the entity in the model.
    ///   - offset: The offset of the row in the file.
    ///   - isWhole: A Boolean value that indicates whether all values of the row are valid.
    /// - Throws: The errors of ``found(_:_:entity:id:attribute:at:)``.
    func add(_ row: StoredRow, of entity: Int, at offset: Int, isWhole: Bool = true) throws {
        let name = model.entities[entity].name
        guard identifierRange.contains(row.id) else {
            return try found(
                .identifier,
                "is not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))",
                entity: name, id: row.id, attribute: "id", at: offset)
        }
        if isWhole {
            for (column, value) in zip(columns[entity], row.values) where value.isNull && !column.isOptional {
                try found(
                    .type, "is mandatory, null is not allowed", entity: name, id: row.id, attribute: column.name,
                    at: offset)
            }
        }
        tables[entity].add(row, at: offset)
    }

    /// Adds a join row; `join` is the index of its join table in the model.
    func add(_ pair: JoinRow, of join: Int, at offset: Int) throws { joins[join].append((pair, offset)) }

    // MARK: Contents

    /// Checks the rows that were added, and returns them as the contents of a store in memory.
    ///
    /// - Parameter metadata: The user-defined metadata of the store.
    /// - Returns: The contents of the store.
    /// - Throws: ``FormatError`` if rows contradict each other, for example because of a dangling reference.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows.
    func contents(metadata: [String: String]) throws -> InMemoryContents {
        for (place, entity) in model.entities.enumerated() {
            for double in tables[place].sort() {
                try found(
                    .identifier, "the identifier occurs twice", entity: entity.name, id: double.id, attribute: "id",
                    at: double.offset)
            }
        }
        for place in model.entities.indices { try checkMark(place) }
        for place in model.entities.indices { try checkUniqueness(place) }
        let places = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
        for place in model.entities.indices { try checkReferences(place, places) }
        var pairs: [String: [JoinRow]] = [:]
        for (place, join) in model.joins.enumerated() { pairs[join.name] = try checkedPairs(place, join, places) }
        let rows = zip(model.entities, tables).map { ($0.name, $1.rows) }
        let marks = self.marks.map { (model.entities[$0.key].name, $0.value.next) }
        return InMemoryContents(
            model, rows: Dictionary(uniqueKeysWithValues: rows), marks: Dictionary(uniqueKeysWithValues: marks),
            pairs: pairs, metadata: metadata)
    }

    private func checkMark(_ place: Int) throws {
        guard let mark = marks[place], let last = tables[place].rows.last, mark.next <= last.id,
            report != nil || !raisesMarks
        else { return }
        try found(
            .sequence, "the next identifier, \(mark.next), is already in use; the greatest identifier is \(last.id)",
            entity: model.entities[place].name, at: mark.offset)
    }

    private func checkUniqueness(_ place: Int) throws {
        let (entity, table) = (model.entities[place], tables[place])
        for key in entity.uniqueKeys {
            var owners: [UniqueValue: Int64] = [:]
            for (index, row) in table.rows.enumerated() {
                guard let value = key.value(of: row.values) else { continue }
                guard let owner = owners[value] else {
                    owners[value] = row.id
                    continue
                }
                let what =
                    key.columns.count == 1
                    ? "this value too, but the attribute is unique"
                    : "these values too, but the attributes are unique together"
                try found(
                    .uniqueness, "\(entity.name) \(owner) has \(what)", entity: entity.name, id: row.id,
                    attribute: key.name(in: entity), at: table.offset(index))
            }
        }
    }

    private func checkReferences(_ place: Int, _ places: [String: Int]) throws {
        let (entity, table) = (model.entities[place], tables[place])
        for (column, description) in columns[place].enumerated() {
            guard let destination = description.destination, let target = places[destination] else { continue }
            for (index, row) in table.rows.enumerated() {
                guard case .integer(let id) = row.values[column], !tables[target].contains(id) else { continue }
                try found(
                    .reference, "refers to \(destination) \(id), which does not exist", entity: entity.name, id: row.id,
                    attribute: description.name, at: table.offset(index))
            }
        }
    }

    private func checkedPairs(_ place: Int, _ join: JoinDescription, _ places: [String: Int]) throws -> [JoinRow] {
        guard let source = places[join.sourceEntity], let target = places[join.targetEntity] else { return [] }
        var seen: Set<JoinPair> = []
        var kept: [JoinRow] = []
        for (row, offset) in joins[place] {
            let pair = row.pair
            func found(_ kind: StoreFault.Kind, _ message: String) throws {
                try self.found(
                    kind, message, entity: join.sourceEntity, id: pair.source, attribute: join.sourceRelationship,
                    at: offset)
            }
            var isWhole = true
            if !tables[source].contains(pair.source) {
                isWhole = false
                try found(
                    .reference,
                    "\(join.sourceEntity) \(pair.source), which has a join row with \(pair.target), does not exist")
            }
            if !tables[target].contains(pair.target) {
                isWhole = false
                try found(.reference, "refers to \(join.targetEntity) \(pair.target), which does not exist")
            }
            if join.isSymmetric, pair.source > pair.target {
                try found(.rule, "the join row with \(pair.target) has its greater identifier first")
            }
            if !seen.insert(join.kept(pair)).inserted {
                isWhole = false
                try found(.rule, "the join row with \(pair.target) occurs twice")
            }
            if isWhole { kept.append(row) }
        }
        return kept
    }
}
