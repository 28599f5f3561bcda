import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataPersistence

@Suite("Pages")
struct PageTests {
    /// Returns a stack with players whose numbers and forms contain null, and whose salaries contain equal values.
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.league()
        let teams = [try stack.team("Red").id, try stack.team("Blue").id]
        try stack.background.performAndWait { context in
            for index in 0..<11 {
                try context.insert(Player.self) { id in
                    Player(
                        id: id, name: ["Ann", "Ben", "Cyd"][index % 3], number: index % 4 == 1 ? nil : 20 - index,
                        salary: Decimal(index % 2), form: index < 3 ? nil : Double(index % 5) / 4,
                        team: index % 3 == 0 ? nil : teams[index % 2])
                }
            }
            try context.save()
        }
        return stack
    }

    private static let orders: [[SortKey<Player>]] = [
        [], [SortKey(\.id, order: .reverse)], [SortKey(\.number)], [SortKey(\.number, order: .reverse)],
        [SortKey(\.form), SortKey(\.number, order: .reverse)], [SortKey(\.form, order: .reverse), SortKey(\.salary)],
        [SortKey(\.salary, order: .reverse), SortKey(\.form, order: .reverse), SortKey(\.id, order: .reverse)],
        [SortKey(\.name), SortKey(\.team, \Team.name, order: .reverse)],
        [SortKey(.function(.length, .property("name"))), SortKey(\.form)], [SortKey(\.isActive)],
    ]

    @Test(
        "the pages of every size and order contain every record once, in both directions", arguments: StoreKind.allCases
    )
    func walks(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        for (index, sort) in Self.orders.enumerated() {
            let request = FetchRequest<Player>(where: #Predicate { $0.salary < 2 }, sort: sort)
            let all = try await context.fetch(request).map(\.id)
            for size in 1...all.count + 1 {
                var (forward, pages): ([PlayerID], [[PlayerID]]) = ([], [])
                var page = try await context.page(request, size: size)
                #expect(page.previous == nil)
                while true {
                    forward += page.records.map(\.id)
                    pages.append(page.records.map(\.id))
                    guard let next = page.next else { break }
                    page = try await context.page(request, size: size, after: try PageToken(next.description))
                }
                #expect(forward == all, "order \(index), size \(size)")
                var backward = [page.records.map(\.id)]
                while let previous = page.previous {
                    page = try await context.page(request, size: size, after: previous)
                    backward.insert(page.records.map(\.id), at: 0)
                }
                let before = backward.dropLast().flatMap(\.self)
                #expect(before == all.dropLast(pages.last?.count ?? 0), "order \(index), size \(size), backward")
            }
        }
    }

    @Test("a page of the greatest size has all records")
    func largest() throws {
        let stack = try stack(.inMemory)
        let request = FetchRequest<Player>(sort: [SortKey(\.name)])
        let page = try stack.background.performAndWait { try $0.page(request, size: .max) }
        #expect(page.records.count == 11 && page.next == nil)
    }

    @Test("a page of size 0 has no records and the same token")
    func empty() async throws {
        let context = try stack(.inMemory).background
        let request = FetchRequest<Player>(sort: [SortKey(\.name)])
        let token = try #require(try await context.page(request, size: 3).next)
        let page = try await context.page(request, size: 0, after: token)
        #expect(page.records.isEmpty && page.next == token)
        #expect(try await context.page(request, size: 0).next == nil)
    }

    @Test(
        "a token remains valid if its record is deleted, and the empty last page leads back",
        arguments: StoreKind.allCases)
    func deleted(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        let request = FetchRequest<Player>(sort: [SortKey(\.number, order: .reverse)])
        let all = try await context.fetch(request)
        let first = try await context.page(request, size: 4)
        _ = try await context.delete(FetchRequest<Player>(id: all[3].id))
        let second = try await context.page(request, size: 4, after: first.next)
        #expect(second.records.map(\.id) == all[4..<8].map(\.id))
        let last = try await context.page(request, size: 9, after: second.next)
        #expect(last.records.map(\.id) == all[8...].map(\.id) && last.next == nil)
        let token = try #require(second.next)
        for record in all[8...] { _ = try await context.delete(FetchRequest<Player>(id: record.id)) }
        let empty = try await context.page(request, size: 4, after: token)
        #expect(empty.records.isEmpty && empty.next == nil)
        let back = try await context.page(request, size: 4, after: empty.previous)
        #expect(back.records.map(\.id) == all[4..<8].map(\.id))
    }

    @Test("a token of another request, and a text that is no token, are rejected")
    func rejected() async throws {
        let context = try stack(.inMemory).background
        let request = FetchRequest<Player>(where: #Predicate { $0.salary < 2 }, sort: [SortKey(\.name)])
        let token = try #require(try await context.page(request, size: 3).next)
        let others = [
            FetchRequest<Player>(where: #Predicate { $0.salary < 3 }, sort: [SortKey(\.name)]),
            FetchRequest<Player>(sort: [SortKey(\.name)]),
            FetchRequest<Player>(where: #Predicate { $0.salary < 2 }, sort: [SortKey(\.name, order: .reverse)]),
            FetchRequest<Player>(where: #Predicate { $0.salary < 2 }, sort: [SortKey(\.name), SortKey(\.form)]),
            FetchRequest<Player>(where: #Predicate { $0.salary < 2 }, sort: [SortKey(\.name)], limit: 5),
        ]
        for other in others {
            await #expect { _ = try await context.page(other, size: 3, after: token) } throws: {
                ($0 as? PersistenceError)?.code == .invalidRequest
            }
        }
        await #expect { _ = try await context.page(FetchRequest<Team>(), size: 3, after: token) } throws: {
            "\($0)".contains("page token")
        }
        for text in ["", "abc", "%%%", String(token.description.dropLast(3)), token.description + "AAAA", "WyIxIl0"] {
            #expect(throws: PersistenceError.self, "\(text)") { _ = try PageToken(text) }
        }
        let data = try JSONEncoder().encode([token])
        #expect(try JSONDecoder().decode([PageToken].self, from: data) == [token])
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode([PageToken].self, from: Data(#"["x"]"#.utf8))
        }
        #expect(token.description.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    }

    @Test("tokens keep all bits of values of every type")
    func exact() throws {
        let values: [StoredValue] = [
            .null, .boolean(false), .integer(.min), .double(0.1 + 0.2), .double(.leastNonzeroMagnitude),
            .decimal(ScaledDecimal(unscaled: -12, scale: 18)), .string("é\"\\\n,]"), .string(""), .string("\u{301}x"),
            .date(Date(timeIntervalSinceReferenceDate: 0.1)), .day(try Day(year: 0, month: 1, day: 1)),
            .timeOfDay(try TimeOfDay(hour: 23, minute: 59, second: 59, nanosecond: 999_999_999)), .uuid(UUID()),
            .binary(Data([0, 255])),
        ]
        let token = PageToken(digest: "0", isBackward: true, includesPlace: true, values: values)
        #expect(try PageToken(token.description) == token)
    }

    @Test("pages include pending changes", arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let request = FetchRequest<Player>(sort: [SortKey(\.form, order: .reverse)])
            let players = try context.fetch(request)
            try players[1].update { $0.form = nil }
            context.delete(players[5])
            try context.insert(Player.self) { Player(id: $0, name: "New", form: 0.5) }
            let all = try context.fetchRecords(request).map(\.id)
            var (found, token): ([PlayerID], PageToken?) = ([], nil)
            repeat {
                let page = try context.page(request, size: 3, after: token)
                found += page.records.map(\.id)
                token = page.next
            } while token != nil
            #expect(found == all)
        }
    }
}
