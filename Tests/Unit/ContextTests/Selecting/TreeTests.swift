import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataPersistence
@testable import StrataSQLite

@Suite("Trees")
struct TreeTests {
    private typealias Node = Company.Node
    private typealias Person = Company.Person

    /// Returns a stack with the nodes 1 to 7: 1 has the children 2 and 3, 2 has 4 and 5, 5 has 6, and 7 is alone.
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try Company.model(), mainQueue: .private)
        let parents: [Int64: Int64] = [2: 1, 3: 1, 4: 2, 5: 2, 6: 5]
        try stack.background.performAndWait { context in
            for id in Int64(1)...7 {
                try context.insert(
                    Node(id: try self.id(id), title: "\(id)", parent: try parents[id].map { try self.id($0) }))
            }
            try context.save()
        }
        return stack
    }

    private func id(_ raw: Int64) throws -> LibraryID { try #require(LibraryID(rawValue: raw)) }

    private func described<Record: ManagedRecord>(_ rows: [TreeRow<Record>]) -> [String] {
        rows.map { "\($0.record.id.rawValue)/\($0.depth)/\($0.origin.rawValue)" }
    }

    @Test("descendants and ancestors have their depth and origin, in both orders", arguments: StoreKind.allCases)
    func trees(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        let below = try await context.descendants(Node.self, of: [try id(1)], through: \.children)
        #expect(described(below) == ["2/1/1", "4/2/2", "5/2/2", "6/3/5", "3/1/1"])
        let byLevel = try await context.descendants(
            Node.self, of: [try id(1)], through: \.children, order: .breadthFirst)
        #expect(described(byLevel) == ["2/1/1", "3/1/1", "4/2/2", "5/2/2", "6/3/5"])
        let above = try await context.ancestors(Node.self, of: [try id(6), try id(4)], through: \.children)
        #expect(described(above) == ["2/1/4", "5/1/6", "1/2/2"])
        #expect(try await context.descendants(Node.self, of: [try id(7), try id(99)], through: \.children).isEmpty)
        let nested = try await context.descendants(Node.self, of: [try id(1), try id(2)], through: \.children)
        #expect(described(nested) == ["3/1/1", "4/1/2", "5/1/2", "6/2/5"])
    }

    @Test("a tree that is deeper than the limit is an error", arguments: StoreKind.allCases)
    func limit(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        let start = [try id(1)]
        #expect(try await context.descendants(Node.self, of: start, through: \.children, maximumDepth: 3).count == 5)
        await #expect {
            _ = try await context.descendants(Node.self, of: start, through: \.children, maximumDepth: 2)
        } throws: { ($0 as? PersistenceError)?.code == .invalidRequest }
    }

    @Test("a cycle ends the search, also with a start outside or inside it", arguments: StoreKind.allCases)
    func cycle(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        // 1 → 2 → 5 → 6 → 1
        _ = try await context.update(Node.self, id: try id(1)) { $0.parent = try id(6) }
        let below = try await context.descendants(Node.self, of: [try id(5)], through: \.children)
        #expect(described(below) == ["6/1/5", "1/2/6", "2/3/1", "4/4/2", "3/3/1"])
        let above = try await context.ancestors(Node.self, of: [try id(4)], through: \.children)
        #expect(described(above) == ["2/1/4", "1/2/2", "6/3/1", "5/4/6"])
    }

    @Test("a many-to-many relationship is searched by the least distance", arguments: StoreKind.allCases)
    func graph(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        let follows = [(1, 2), (2, 3), (1, 3), (3, 4), (4, 1)]
        try stack.background.performAndWait { context in
            for raw in Int64(1)...5 { try context.insert(Person(id: try id(raw), name: "\(raw)")) }
            try context.save()
        }
        try await stack.background.transaction { unit in
            for (person, other) in follows {
                try unit.add(
                    [try id(Int64(other))], to: Person.follows, of: Person.entity, id: try id(Int64(person)))
            }
        }
        let followed = try await stack.background.descendants(
            Person.self, of: [try id(1)], through: \.follows, order: .breadthFirst)
        #expect(described(followed) == ["2/1/1", "3/1/1", "4/2/3"])
        let followers = try await stack.background.ancestors(Person.self, of: [try id(3)], through: \.follows)
        #expect(described(followers) == ["1/1/3", "2/1/3", "4/2/1"])
    }

    @Test("a symmetric relationship is searched in both directions", arguments: StoreKind.allCases)
    func symmetric(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            for raw in Int64(1)...3 { try context.insert(Person(id: try id(raw), name: "\(raw)")) }
            try context.save()
        }
        try await stack.background.transaction { unit in
            try unit.add([try id(2)], to: Person.friends, of: Person.entity, id: try id(1))
            try unit.add([try id(2)], to: Person.friends, of: Person.entity, id: try id(3))
        }
        let below = try await stack.background.descendants(Person.self, of: [try id(1)], through: \.friends)
        #expect(described(below) == ["2/1/1", "3/2/2"])
        let above = try await stack.background.ancestors(Person.self, of: [try id(1)], through: \.friends)
        #expect(described(above) == ["2/1/1", "3/2/2"])
    }

    @Test("trees include pending changes", arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            try context.existingObject(with: try id(7), of: Node.self).update { $0.parent = try id(4) }
            context.delete(try context.existingObject(with: try id(3), of: Node.self))
            let below = try context.descendants(Node.self, of: [try id(1)], through: \.children)
            #expect(described(below) == ["2/1/1", "4/2/2", "7/3/4", "5/2/2", "6/3/5"])
            let above = try context.ancestors(Node.self, of: [try id(7)], through: \.children)
            #expect(described(above) == ["4/1/7", "2/2/4", "1/3/2"])
        }
    }

    @Test("one statement finds all levels of a tree in a database, and one its records")
    func statements() async throws {
        let stack = try stack(.sqlite)
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        let before = try store.pool.withConnection(\.counts)
        _ = try await stack.background.descendants(Node.self, of: [try id(1)], through: \.children)
        #expect(try store.pool.withConnection(\.counts).runs - before.runs == 2)
    }
}
