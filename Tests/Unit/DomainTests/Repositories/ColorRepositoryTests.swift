import Foundation
import StrataDomain
import Testing

@Suite("Protocol of color repositories")
struct ColorRepositoryTests {
    private let repository: any ColorRepository = ArrayRepository<Color>()
    private let teal = HexColor(red: 0, green: 170, blue: 170)

    /// A record that is confined to its executor, like a managed object.
    private final class ConfinedColor: ColorRecord {
        let id: Color.ID
        let hex = HexColor(red: 1, green: 2, blue: 3)
        let name: String? = nil
        let dateCreated = Date.now

        init(id: Color.ID) { self.id = id }
    }

    private func fill(seconds: [Double]) async throws {
        for second in seconds {
            try await repository.create(
                hex: teal,
                name: nil,
                dateCreated: Date(timeIntervalSinceReferenceDate: second)
            )
        }
    }

    @Test("creating a color without a date uses the current date")
    func created() async throws {
        let before = Date.now
        let color = try await repository.create(hex: teal, name: "teal")
        #expect((before...Date.now).contains(color.dateCreated))
        #expect(try await repository.create(hex: teal).name == nil)
        #expect(try await repository.find(color.id) == color)
    }

    @Test("get throws for a missing color, for which find returns nil")
    func missing() async throws {
        #expect(try await repository.find(9) == nil)
        let error = await #expect(throws: DomainError.self) { try await repository.get(9) }
        #expect(error?.description == "there is no Color with id 9")
        let color = try await repository.create(hex: teal)
        #expect(try await repository.get(color.id) == color)
    }

    @Test("recent colors are ordered from newest to oldest, and by identifier if their dates are equal")
    func newestFirst() async throws {
        try await fill(seconds: [10, 30, 20, 30])
        #expect(try await repository.newestFirst().map(\.id) == [2, 4, 3, 1])
        #expect(try await repository.newestFirst(limit: 2).map(\.id) == [2, 4])
    }

    @Test("fetch, count and stream return the colors that a predicate selects")
    func predicate() async throws {
        try await fill(seconds: [1, 2, 3])
        let since = Date(timeIntervalSinceReferenceDate: 2)
        let query = Query<Color>(where: #Predicate { $0.dateCreated >= since }, sort: [.descending(\.id)])
        #expect(try await repository.fetch(query).map(\.id) == [3, 2])
        #expect(try await repository.count(query) == 2)
        var streamed: [Color.ID] = []
        for try await color in repository.stream(query) { streamed.append(color.id) }
        #expect(streamed == [3, 2])
    }

    @Test("calls without a query use all colors")
    func all() async throws {
        try await fill(seconds: [1, 2])
        #expect(try await repository.fetch().map(\.id) == [1, 2])
        #expect(try await repository.count() == 2)
        var streamed = 0
        for try await _ in repository.stream() { streamed += 1 }
        #expect(streamed == 2)
        #expect(try await repository.deleteAll() == 2)
        #expect(try await repository.fetch(.all).isEmpty)
    }

    @Test("a second deletion by identifier or by record has no effect")
    func deleteTwice() async throws {
        try await fill(seconds: [1, 2])
        let color = try await repository.get(1)
        #expect(try await repository.delete(color))
        #expect(try await repository.delete(color) == false)
        #expect(try await repository.delete(2))
        #expect(try await repository.delete(2) == false)
    }

    @MainActor
    @Test("a color record that is not Sendable can be deleted")
    func deleteConfined() async throws {
        try await fill(seconds: [1])
        let confined = ConfinedColor(id: 1)
        #expect(try await repository.delete(confined))
        #expect(confined.id == 1)
    }

    @Test("an update returns the saved record and saves nothing if the change throws")
    func update() async throws {
        try await fill(seconds: [1])
        let named = try await repository.update(1) { $0.name = "sea" }
        #expect(named.name == "sea")
        await #expect(throws: CancellationError.self) {
            try await repository.update(1) { color in
                color.name = "lost"
                throw CancellationError()
            }
        }
        #expect(try await repository.get(1).name == "sea")
    }
}
