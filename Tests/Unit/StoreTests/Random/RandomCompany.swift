import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting

/// Random people, departments, passports, articles and nodes of the contract's model with every kind of relationship,
/// as plain arrays.
struct RandomCompany {
    let model: ManagedObjectModel
    var rows: [String: [StoredRow]] = [:]
    var pairs: [String: Set<JoinPair>] = [:]

    init(_ model: ManagedObjectModel, using random: inout SeededGenerator) {
        self.model = model
        func text() -> StoredValue { .string(Self.names.randomElement(using: &random) ?? "") }
        func reference(_ count: Int64) -> StoredValue {
            Int.random(in: 0..<4, using: &random) == 0 ? .null : .integer(.random(in: 1...count, using: &random))
        }
        func make(_ entity: String, _ count: Int64, _ values: () -> [StoredValue]) {
            rows[entity] = (1...count).map { StoredRow(id: $0, values: values()) }
        }
        func join(_ name: String, _ sources: Int64, _ targets: Int64) {
            pairs[name] = Set(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    JoinPair(
                        source: .random(in: 1...sources, using: &random),
                        target: .random(in: 1...targets, using: &random))
                })
        }
        make("Person", 8) { [text(), .integer(.random(in: 0...3, using: &random)), reference(4)] }
        make("Department", 4) { [text(), reference(8)] }
        make("Node", 8) { [text(), reference(8)] }
        make("Article", 5) { [.null] }
        make("Tag", 4) { [text()] }
        let holders = (1...8).shuffled(using: &random)
        rows["Passport"] = (1...5).map { StoredRow(id: $0, values: [text(), .integer(Int64(holders[Int($0)]))]) }
        join("Person_friends", 8, 8)
        join("Person_follows", 8, 8)
        join("Article_tags", 5, 4)
    }

    static let names = ["a", "b", "c", ""]

    /// The changes that insert the company into a store.
    var changes: ChangeSet {
        var changes = ChangeSet()
        for (entity, rows) in rows { changes[entity].insertions = rows.map { .init(id: $0.id, values: $0.values) } }
        for (name, pairs) in pairs { changes.joins[name, default: .init()].added = pairs.map { JoinRow($0) } }
        return changes
    }

    /// Returns the objects of a relationship from the arrays, without using the module.
    func relatives(of row: StoredRow, _ entity: String, _ name: String) throws -> (EntityDescription, [StoredRow]) {
        func refers(_ owner: StoredRow, _ column: Int, _ id: Int64) -> Bool {
            if case .integer(let target) = owner.values[column] { target == id } else { false }
        }
        func find(_ destination: String, _ isRelated: (StoredRow) -> Bool) throws -> (EntityDescription, [StoredRow]) {
            (try model.entity(named: destination), (rows[destination] ?? []).filter(isRelated))
        }
        func has(_ join: String, _ source: Int64, _ target: Int64) -> Bool {
            pairs[join]?.contains(JoinPair(source: source, target: target)) ?? false
        }
        switch "\(entity).\(name)" {
        case "Person.department": return try find("Department") { refers(row, 2, $0.id) }
        case "Person.passport": return try find("Passport") { refers($0, 1, row.id) }
        case "Person.friends":
            return try find("Person") {
                has("Person_friends", row.id, $0.id) || has("Person_friends", $0.id, row.id)
            }
        case "Person.follows": return try find("Person") { has("Person_follows", row.id, $0.id) }
        case "Person.followers": return try find("Person") { has("Person_follows", $0.id, row.id) }
        case "Department.head": return try find("Person") { refers(row, 1, $0.id) }
        case "Department.members": return try find("Person") { refers($0, 2, row.id) }
        case "Passport.holder": return try find("Person") { refers(row, 1, $0.id) }
        case "Node.parent": return try find("Node") { refers(row, 1, $0.id) }
        case "Node.children": return try find("Node") { refers($0, 1, row.id) }
        case "Article.tags": return try find("Tag") { has("Article_tags", row.id, $0.id) }
        case "Tag.articles": return try find("Article") { has("Article_tags", $0.id, row.id) }
        default: throw ReferenceEvaluator.Unsupported()
        }
    }
}
