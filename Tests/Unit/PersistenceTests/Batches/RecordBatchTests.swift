import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Batches on records as values, in a context over each kind of store and in the test double.
@Suite("Batches on values")
struct RecordBatchTests {
    enum Records: Sendable, CaseIterable, CustomStringConvertible {
        case store(StoreKind)
        case double

        static let allCases = StoreKind.allCases.map(Records.store) + [.double]

        var description: String {
            switch self {
            case .store(let kind): kind.description
            case .double: "double"
            }
        }

        /// Returns a context with three teams with 1, 2 and 3 points, of which the last two have a motto.
        func make() throws -> (context: any RecordContext, keeper: (any Sendable)?) {
            let teams = try (1...3).map { number in
                Team(
                    id: try #require(TeamID(rawValue: Int64(number))), name: "T\(number)",
                    motto: number == 1 ? nil : "on", points: number)
            }
            switch self {
            case .store(let kind):
                let stack = try kind.league()
                try stack.background.performAndWait { context in
                    for team in teams { try context.insert(team) }
                    try context.save()
                }
                return (stack.background, stack)
            case .double: return (try InMemoryRecords(try League.model(), teams), nil)
            }
        }
    }

    private static func points(_ context: any RecordContext) async throws -> [Int] {
        try await context.fetch(FetchRequest<Team>()).map(\.points)
    }

    @Test(
        "a batch update sets constants and values that it calculates from the old record",
        arguments: Records.allCases)
    func update(_ records: Records) async throws {
        let (context, keeper) = try records.make()
        let count = try await context.batchUpdate(
            Team.self, where: .matching(#Predicate { $0.points >= 2 }),
            [
                .set(\.points, toValueOf: .arithmetic(.property("points"), .multiply, .constant(.integer(10)))),
                .set(\.motto, to: nil),
            ])
        #expect(count == 2)
        #expect(try await Self.points(context) == [1, 20, 30])
        #expect(try await context.fetch(FetchRequest<Team>()).allSatisfy { $0.motto == nil })
        withExtendedLifetime(keeper) {}
    }

    @Test(
        "a batch in a unit of work sees earlier changes and is rolled back with the unit of work",
        arguments: Records.allCases)
    func unit(_ records: Records) async throws {
        struct Change: Error {}
        let (context, keeper) = try records.make()
        await #expect(throws: Change.self) {
            try await context.transaction { unit in
                _ = try unit.insert(Team.self) { Team(id: $0, name: "T4", points: 7) }
                #expect(
                    try unit.batchUpdate(
                        Team.self, where: .matching(#Predicate { $0.points > 2 }), [.set(\.points, to: 5)]) == 2)
                #expect(try unit.fetch(FetchRequest<Team>()).map(\.points) == [1, 2, 5, 5])
                #expect(try unit.batchDelete(Team.self, where: .matching(#Predicate { $0.points == 5 })) == 2)
                #expect(try unit.count(FetchRequest<Team>()) == 2)
                throw Change()
            }
        }
        #expect(try await Self.points(context) == [1, 2, 3])
        withExtendedLifetime(keeper) {}
    }

    @Test("a batch deletion applies the delete rules", arguments: Records.allCases)
    func delete(_ records: Records) async throws {
        let (context, keeper) = try records.make()
        #expect(try await context.batchDelete(Team.self, where: .matching(#Predicate { $0.points < 3 })) == 2)
        #expect(try await Self.points(context) == [3])
        #expect(try await context.batchDelete(Team.self) == 1)
        #expect(try await context.count(FetchRequest<Team>()) == 0)
        withExtendedLifetime(keeper) {}
    }

    @Test("a batch update that breaks a rule throws and changes nothing", arguments: Records.allCases)
    func broken(_ records: Records) async throws {
        let (context, keeper) = try records.make()
        let error = await #expect(throws: PersistenceError.self) {
            try await context.batchUpdate(
                Team.self,
                [.set(\.points, toValueOf: .arithmetic(.property("points"), .subtract, .constant(.integer(2))))])
        }
        #expect(error?.code == .validation && error?.failures.map(\.rule) == [.minimum(.integer(0))])
        #expect(try await Self.points(context) == [1, 2, 3])
        withExtendedLifetime(keeper) {}
    }

    @Test("a batch update with invalid assignments throws and changes nothing", arguments: Records.allCases)
    func refused(_ records: Records) async throws {
        let (context, keeper) = try records.make()
        let assignments: [[BatchAssignment<Team>]] = [
            [], [.set(\.points, to: 1), .set(\.points, to: 2)], [.set(\.points, toValueOf: .property("name"))],
            [.set(\.points, toValueOf: .property("nothing"))],
        ]
        for assignments in assignments {
            let error = await #expect(throws: PersistenceError.self) {
                try await context.batchUpdate(Team.self, assignments)
            }
            #expect(error?.code == .invalidRequest)
        }
        #expect(try await Self.points(context) == [1, 2, 3])
        withExtendedLifetime(keeper) {}
    }

    @Test("a batch update whose number overflows throws an error that names the object", arguments: Records.allCases)
    func overflow(_ records: Records) async throws {
        let (context, keeper) = try records.make()
        let error = await #expect(throws: PersistenceError.self) {
            try await context.batchUpdate(
                Team.self, where: .matching(#Predicate { $0.points == 2 }),
                [.set(\.points, toValueOf: .arithmetic(.property("points"), .multiply, .constant(.integer(.max))))])
        }
        #expect(error?.code == .arithmetic)
        #expect(error?.message == "object 2: the new value overflows or divides by zero")
        withExtendedLifetime(keeper) {}
    }
}
