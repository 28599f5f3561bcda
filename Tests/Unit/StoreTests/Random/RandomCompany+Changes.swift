import StrataPersistence
import StrataTestSupport
import StrataTesting

/// One change of a company, made both in a context and in the plain arrays.
enum CompanyChange {
    case write(entity: String, id: Int64, column: Int, StoredValue)
    case insert(entity: String, StoredRow)
    case delete(entity: String, id: Int64)
    case join(String, JoinPair)
    case unlink(String, JoinPair)
}

extension RandomCompany {
    /// Returns a random change that fits the current arrays.
    func change(using random: inout SeededGenerator) -> CompanyChange? {
        let entity =
            ["Person", "Person", "Department", "Passport", "Node", "Article", "Tag"]
            .randomElement(using: &random) ?? "Node"
        let (joins, ends) = (
            ["Person_friends", "Person_follows", "Article_tags"],
            [
                "Person_friends": ("Person", "Person"), "Person_follows": ("Person", "Person"),
                "Article_tags": ("Article", "Tag"),
            ]
        )
        func id(_ entity: String) -> Int64 { rows[entity]?.randomElement(using: &random)?.id ?? 1 }
        func text() -> StoredValue { .string(Self.names.randomElement(using: &random) ?? "") }
        func reference(_ entity: String) -> StoredValue {
            Int.random(in: 0..<4, using: &random) == 0 ? .null : .integer(id(entity))
        }
        func values() -> [StoredValue] {
            switch entity {
            case "Person": [text(), .integer(.random(in: 0...3, using: &random)), reference("Department")]
            case "Department": [text(), reference("Person")]
            case "Passport": [text(), reference("Person")]
            case "Node": [text(), reference("Node")]
            case "Tag": [text()]
            default: [.null]
            }
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            guard let row = rows[entity]?.randomElement(using: &random), entity != "Article" else { return nil }
            let values = values()
            let column = Int.random(in: 0..<values.count, using: &random)
            return .write(entity: entity, id: row.id, column: column, values[column])
        case 4:
            guard let last = rows[entity]?.map(\.id).max(), last < 20 else { return nil }
            return .insert(entity: entity, StoredRow(id: max(last, 10) + 1, values: values()))
        case 5: return (rows[entity]?.count ?? 0) > 2 ? .delete(entity: entity, id: id(entity)) : nil
        case 6, 7, 8:
            guard let join = joins.randomElement(using: &random), let (source, target) = ends[join] else { return nil }
            return .join(join, JoinPair(source: id(source), target: id(target)))
        default:
            guard let join = joins.randomElement(using: &random), let (source, target) = ends[join] else { return nil }
            let known = pairs[join]?.sorted { ($0.source, $0.target) < ($1.source, $1.target) }
            return .unlink(
                join, known?.randomElement(using: &random) ?? JoinPair(source: id(source), target: id(target)))
        }
    }

    /// Returns the changes needed before a person is deleted, so that no reference dangles.
    func headsLost(by change: CompanyChange) -> [CompanyChange] {
        guard case .delete("Person", let id) = change else { return [] }
        return (rows["Department"] ?? []).filter { $0.values[1] == .integer(id) }
            .map { .write(entity: "Department", id: $0.id, column: 1, .null) }
    }

    /// Applies a change by the rules, without using the module: references to deleted objects are cleared, and a holder
    /// has one passport.
    mutating func apply(_ change: CompanyChange) {
        switch change {
        case .write(let entity, let id, let column, let value):
            if entity == "Passport", column == 1 { release(value) }
            edit(entity) { if $0.id == id { $0.values[column] = value } }
        case .insert(let entity, let row):
            if entity == "Passport" { release(row.values[1]) }
            rows[entity, default: []].append(row)
        case .delete(let entity, let id):
            rows[entity]?.removeAll { $0.id == id }
            let inverses = ["Department": [("Person", 2)], "Person": [("Passport", 1)], "Node": [("Node", 1)]]
            for (owner, column) in inverses[entity] ?? [] {
                edit(owner) { if $0.values[column] == .integer(id) { $0.values[column] = .null } }
            }
            for (join, source, target) in [
                ("Person_friends", "Person", "Person"), ("Person_follows", "Person", "Person"),
                ("Article_tags", "Article", "Tag"),
            ] {
                pairs[join] = pairs[join]?.filter {
                    !(source == entity && $0.source == id) && !(target == entity && $0.target == id)
                }
            }
        case .join(let name, let pair): pairs[name, default: []].insert(pair)
        case .unlink(let name, let pair):
            pairs[name]?.remove(pair)
            if name == "Person_friends" { pairs[name]?.remove(JoinPair(source: pair.target, target: pair.source)) }
        }
    }

    private mutating func release(_ holder: StoredValue) {
        guard holder != .null else { return }
        edit("Passport") { if $0.values[1] == holder { $0.values[1] = .null } }
    }

    private mutating func edit(_ entity: String, _ body: (inout StoredRow) -> Void) {
        rows[entity] = rows[entity]?.map { row in
            var row = row
            body(&row)
            return row
        }
    }
}
