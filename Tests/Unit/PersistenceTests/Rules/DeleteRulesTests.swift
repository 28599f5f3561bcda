import StrataCore
import Testing

@testable import StrataPersistence

/// The requests that the delete rules make to their target, and their order.
@Suite("Delete rules")
struct DeleteRulesTests {
    /// Returns a model with every delete rule: a house cascades to its rooms and they to their chairs; guests and trees
    /// are nullified; keys deny; a plan has no action.
    private static func model() throws -> ManagedObjectModel {
        func part(_ name: String, inverse: String) -> EntityDescription {
            EntityDescription(name, [.relationship(.init("house", to: "House", .toOne, inverse: inverse))])
        }
        return try ManagedObjectModel([
            EntityDescription(
                "House",
                [
                    .relationship(.init("guests", to: "Guest", .toMany, inverse: "house", deleteRule: .nullify)),
                    .relationship(.init("keys", to: "Key", .toMany, inverse: "house", deleteRule: .deny)),
                    .relationship(.init("plans", to: "Plan", .toMany, inverse: "house", deleteRule: .noAction)),
                    .relationship(.init("trees", to: "Tree", .toMany, inverse: "houses", deleteRule: .nullify)),
                    .relationship(.init("rooms", to: "Room", .toMany, inverse: "house", deleteRule: .cascade)),
                ]),
            EntityDescription(
                "Room",
                [
                    .relationship(.init("house", to: "House", .toOne, inverse: "rooms", deleteRule: .nullify)),
                    .relationship(.init("next", to: "Room", .toOne, inverse: "before", deleteRule: .cascade)),
                    .relationship(.init("before", to: "Room", .toMany, inverse: "next", deleteRule: .nullify)),
                ]),
            part("Guest", inverse: "guests"), part("Key", inverse: "keys"),
            part("Plan", inverse: "plans"),
            EntityDescription("Tree", [.relationship(.init("houses", to: "House", .toMany, inverse: "trees"))]),
        ])
    }

    /// A target that deletes nothing and records the calls.
    private struct Recorder: DeletionTarget {
        typealias Object = StoredRow

        /// The explicitly deleted objects, by round.
        var rounds: [[String: [Int64]]]
        /// The related objects by owner; those of many owners are requested at once.
        var related: [String: [Int64: [Int64]]] = [:]
        var chunkSize = Int.max
        private(set) var log: [String] = []
        private var reached: Set<String> = []

        init(_ rounds: [[String: [Int64]]], related: [String: [Int64: [Int64]]] = [:], chunkSize: Int = .max) {
            self.rounds = rounds
            self.related = related
            self.chunkSize = chunkSize
        }

        mutating func takeRoots() -> [String: [Int64]] {
            guard !rounds.isEmpty else { return [:] }
            let roots = rounds.removeFirst()
            for (entity, ids) in roots { reached.formUnion(ids.map { "\(entity) \($0)" }) }
            return roots
        }

        func chunks(_ owners: [Int64]) -> [[Int64]] {
            let owners = owners.sorted()
            return stride(from: 0, to: owners.count, by: chunkSize).map { Array(owners[$0...].prefix(chunkSize)) }
        }

        func related(to owners: [Int64], by edge: DeleteEdge) throws -> Related {
            let found = related["\(edge.entity.name).\(edge.relationship.name)"] ?? [:]
            return owners.flatMap { owner in
                (found[owner] ?? []).map { (owner, StoredRow(id: $0, version: 1, values: [])) }
            }
        }

        private mutating func note(_ word: String, _ related: Related, _ owners: [Int64], _ edge: DeleteEdge) {
            let others = related.map(\.object.id)
            log.append("\(word) \(edge.entity.name) \(owners) \(edge.relationship.name) \(others)")
        }

        mutating func cascade(_ related: Related, from owners: [Int64], by edge: DeleteEdge) -> [Int64] {
            note("cascade", related, owners, edge)
            return related.map(\.object.id).filter { reached.insert("\(edge.relationship.destination) \($0)").inserted }
        }

        mutating func nullify(_ related: Related, column: Int, from owners: [Int64], by edge: DeleteEdge) {
            note("nullify column \(column)", related, owners, edge)
        }

        mutating func deny(_ related: Related, from owners: [Int64], by edge: DeleteEdge) {
            note("deny", related, owners, edge)
        }

        mutating func deleteReached() { log.append("delete") }
    }

    /// The deleted objects, their related objects, and the expected calls of the target.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rounds: [[String: [Int64]]]
        var related: [String: [Int64: [Int64]]] = [:]
        var chunkSize = Int.max
        let log: [String]
    }

    static let cases: [Case] = [
        Case(testDescription: "nothing was deleted", rounds: [], log: []),
        Case(
            testDescription:
                "cascades are followed first, then nullify and deny rules",
            rounds: [["House": [1]]],
            log: [
                "cascade House [1] rooms []", "nullify column 0 House [1] guests []", "deny House [1] keys []",
                "delete",
            ]),
        Case(
            testDescription: "a deleted row's own references are not cleared",
            rounds: [["Room": [1]]],
            log: ["cascade Room [1] next []", "nullify column 1 Room [1] before []", "delete"]),
        Case(
            testDescription: "cascades visit each object once, even in a cycle",
            rounds: [["House": [1, 2]]],
            related: [
                "House.rooms": [1: [11, 12], 2: [12, 13]], "Room.next": [11: [14], 12: [14], 13: [13], 14: [11]],
            ],
            log: [
                "cascade House [1, 2] rooms [11, 12, 12, 13]", "cascade Room [11, 12, 13] next [14, 14, 13]",
                "cascade Room [14] next [11]", "nullify column 0 House [1, 2] guests []", "deny House [1, 2] keys []",
                "nullify column 1 Room [11, 12, 13, 14] before []", "delete",
            ]),
        Case(
            testDescription: "nullify and deny rules are applied to deleted objects in chunks",
            rounds: [["Guest": [7], "House": [3, 1, 2]]],
            related: ["House.guests": [1: [5], 3: [6]], "House.keys": [2: [8, 9]]], chunkSize: 2,
            log: [
                "cascade House [1, 2] rooms []", "cascade House [3] rooms []",
                "nullify column 0 House [1, 2] guests [5]",
                "deny House [1, 2] keys [8, 9]", "nullify column 0 House [3] guests [6]", "deny House [3] keys []",
                "delete",
            ]),
        Case(
            testDescription: "objects that a hook deletes are visited after the others",
            rounds: [["Room": [1]], ["Room": [2]]], related: ["Room.next": [2: [1, 3]]],
            log: [
                "cascade Room [1] next []", "nullify column 1 Room [1] before []", "delete",
                "cascade Room [2] next [1, 3]", "cascade Room [3] next []", "nullify column 1 Room [2, 3] before []",
                "delete",
            ]),
    ]

    @Test("delete rules visit deleted objects in the expected order", arguments: cases)
    func order(_ item: Case) throws {
        var recorder = Recorder(item.rounds, related: item.related, chunkSize: item.chunkSize)
        var rules = DeleteRules(try Self.model())
        try rules.carryOut(on: &recorder)
        #expect(recorder.log == item.log)
    }

    @Test("a denied deletion reports the object, the relationship and the number of related objects")
    func denial() throws {
        let model = try Self.model()
        let house = try model.entity(named: "House")
        let (keys, _, place) = try model.relationship("keys", of: house)
        let failure = DeleteEdge(entity: house, relationship: keys, place: place).denial(of: 4, count: 2)
        #expect(
            failure.description == "House 4, keys: other objects refer to this object, and the relationship denies its "
                + "deletion")
        #expect(failure.value == .integer(2))
    }
}
