import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import Testing

@Suite("Color repositories over every kind of store")
struct StoredColorRepositoryTests {
    private let black = HexColor(red: 0, green: 0, blue: 0)

    private func instant(_ seconds: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(seconds)) }

    /// Creates colors 1, 2, 3 … with dates at these instants, named after them.
    private func fill(_ colors: some ColorRepository, _ instants: [Int]) async throws {
        for second in instants {
            try await colors.create(
                hex: HexColor(red: UInt8(second), green: 0, blue: 0), name: "\(second)", dateCreated: instant(second))
        }
    }

    @Test("a created color is found with the date of the argument", arguments: StoreKind.allCases)
    func create(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            let hex = try HexColor("0aa")
            let color = try await stack.colors.create(hex: hex, name: nil, dateCreated: instant(-5))
            #expect(color == Color(id: 1, hex: hex, name: nil, dateCreated: instant(-5)))
            #expect(try await stack.colors.find(1) == color)
            #expect(try await stack.colors.get(1) == color)
            #expect(try await stack.colors.find(2) == nil)
            await #expect(throws: DomainError.notFound(Color.self, id: 2)) { try await stack.colors.get(2) }
        }
    }

    @Test(
        "new colors have consecutive identifiers, and a deleted color's identifier is not reused",
        arguments: StoreKind.allCases)
    func identifiers(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            for number in 1...70 { #expect(try await stack.colors.create(hex: black).id.rawValue == number) }
            try await stack.colors.delete(70)
            #expect(try await stack.colors.create(hex: black).id == 71)
            #expect(try await stack.bosses.create(firstName: "Ada", lastName: "L").id == 1)
        }
    }

    struct Selection: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: Query<Color>
        let ids: [Color.ID]

        init(_ name: String, _ query: Query<Color>, _ ids: [Color.ID]) {
            testDescription = name
            self.query = query
            self.ids = ids
        }

        private static let third = Date(timeIntervalSinceReferenceDate: 3)
        private static let five = "5"

        /// The selections over colors 1 to 5, which were created at 3, 1, 5, 3 and 2; color 4 has no name.
        static let all: [Selection] = [
            Selection("all", .all, [1, 2, 3, 4, 5]),
            Selection("predicate", Query(where: #Predicate { $0.dateCreated < third }), [2, 5]),
            Selection("text", Query(where: #Predicate { $0.name == five }), [3]),
            Selection("nothing", Query(where: #Predicate { $0.dateCreated > third && $0.name == nil }), []),
            Selection("sorted", Query(sort: [.ascending(\.dateCreated)]), [2, 5, 1, 4, 3]),
            Selection("null first", Query(sort: [.ascending(\.name)]), [4, 2, 5, 1, 3]),
            Selection("null last", Query(sort: [.descending(\.name)]), [3, 1, 5, 2, 4]),
            Selection("two keys", Query(sort: [.descending(\.dateCreated), .descending(\.id)]), [3, 4, 1, 5, 2]),
            Selection("limit", Query(limit: 2), [1, 2]),
            Selection("offset", Query(offset: 3), [4, 5]),
            Selection("limit and offset", Query(sort: [.descending(\.id)], limit: 2, offset: 1), [4, 3]),
            Selection("limit of none", Query(limit: 0), []),
            Selection("offset past the end", Query(offset: 9), []),
            Selection("whole", Query(where: #Predicate { $0.dateCreated <= third }, limit: 2, offset: 1), [2, 4]),
        ]
    }

    @Test(
        "fetch, count and stream select the same records in the same order",
        arguments: StoreKind.allCases, Selection.all)
    func select(kind: StoreKind, selection: Selection) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack.colors, [3, 1, 5, 3, 2])
            try await stack.colors.update(4) { $0.name = nil }
            #expect(try await stack.colors.fetch(selection.query).map(\.id) == selection.ids)
            #expect(try await stack.colors.count(selection.query) == selection.ids.count)
            var streamed: [Color.ID] = []
            for try await color in stack.colors.stream(selection.query) { streamed.append(color.id) }
            #expect(streamed == selection.ids)
        }
    }

    @Test(
        "recent colors are ordered from newest to oldest, and by identifier if their dates are equal",
        arguments: StoreKind.allCases)
    func newestFirst(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack.colors, [10, 30, 20, 30])
            #expect(try await stack.colors.newestFirst().map(\.id) == [2, 4, 3, 1])
            #expect(try await stack.colors.newestFirst(limit: 3).map(\.id) == [2, 4, 3])
        }
    }

    @Test(
        "a query with a negative limit or offset throws an error that names the property",
        arguments: StoreKind.allCases, [Query<Color>(limit: -1), Query<Color>(offset: -1)])
    func negative(kind: StoreKind, query: Query<Color>) async throws {
        try await kind.withRepositories { stack in
            let property = query.offset < 0 ? "offset" : "limit"
            let message = "Query.\(property): -1 is less than 0"
            for error in [
                await #expect(throws: DomainError.self) { try await stack.colors.fetch(query) },
                await #expect(throws: DomainError.self) { try await stack.colors.count(query) },
                await #expect(throws: DomainError.self) { for try await _ in stack.colors.stream(query) {} },
            ] {
                #expect(error?.description == message)
            }
        }
    }

    @Test("a deletion deletes one color only, and a second deletion has no effect", arguments: StoreKind.allCases)
    func delete(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack.colors, [1, 2, 3])
            let second = try await stack.colors.get(2)
            #expect(try await stack.colors.delete(second))
            #expect(try await stack.colors.delete(second) == false)
            #expect(try await stack.colors.delete(9) == false)
            #expect(try await stack.colors.fetch().map(\.id) == [1, 3])
        }
    }

    @Test("deleting all colors does not delete records of other entities", arguments: StoreKind.allCases)
    func deleteAll(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack.colors, [1, 2, 3])
            try await stack.bosses.create(firstName: "Ada", lastName: "L")
            #expect(try await stack.colors.deleteAll() == 3)
            #expect(try await stack.colors.deleteAll() == 0)
            #expect(try await stack.colors.count() == 0)
            #expect(try await stack.bosses.count() == 1)
        }
    }

    @Test(
        "a color that is a managed object of another context can be deleted by its identifier",
        arguments: StoreKind.allCases)
    func deleteManaged(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack.colors, [1, 2])
            let id = try stack.container.newBackgroundContext().performAndWait { context in
                try context.existingObject(with: 1, of: Color.self).id
            }
            #expect(try await stack.colors.delete(id))
            #expect(try await stack.colors.fetch().map(\.id) == [2])
        }
    }

    @Test("an update returns the saved record and saves nothing if the change throws", arguments: StoreKind.allCases)
    func update(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack.colors, [1])
            let renamed = try await stack.colors.update(1) { $0.name = "sea" }
            #expect(renamed.name == "sea")
            await #expect(throws: CancellationError.self) {
                try await stack.colors.update(1) { color in
                    color.name = "lost"
                    throw CancellationError()
                }
            }
            #expect(try await stack.colors.find(1) == renamed)
            await #expect(throws: DomainError.notFound(Color.self, id: 2)) {
                try await stack.colors.update(2) { $0.name = nil }
            }
        }
    }

    @Test("an update that replaces a color with another color throws", arguments: StoreKind.allCases)
    func updateOfIdentifier(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack.colors, [1, 2])
            let second = try await stack.colors.get(2)
            let error = await #expect(throws: DomainError.self) { try await stack.colors.update(1) { $0 = second } }
            #expect(error?.description == "Color.id: 1 was changed to 2, but an identifier cannot be changed")
            #expect(try await stack.colors.get(1).name == "1")
        }
    }
}
