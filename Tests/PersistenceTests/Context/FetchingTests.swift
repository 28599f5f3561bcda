import Foundation
import Persistence
import PersistenceTesting
import Testing

@Suite("Fetching")
struct FetchingTests {
    /// A stack with the teams A to F, 0 to 5 points.
    private func teams(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            for (points, name) in ["A", "B", "C", "D", "E", "F"].enumerated() {
                try context.insert(Team.self) { Team(id: $0, name: name, points: points) }
            }
            try context.save()
        }
        return stack
    }

    private static let byPointsDown = [SortKey<Team>(\.points, .reverse)]

    @Test("predicate, sort, limit and offset", arguments: StoreKind.allCases)
    func window(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        let request = FetchRequest<Team>(
            where: #Predicate { $0.points >= 1 }, sort: Self.byPointsDown, limit: 2, offset: 1)
        let names = try stack.background.performAndWait { try $0.fetch(request).map(\.name) }
        #expect(names == ["E", "D"])
        #expect(try stack.background.performAndWait { try $0.count(request) } == 2)
        #expect(try stack.background.performAndWait { try $0.fetchRecords(request).map(\.points) } == [4, 3])
    }

    @Test("pending changes are part of a fetch, before it is sorted and its window cut", arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        try stack.background.performAndWait { context in
            let all = try context.fetch(FetchRequest<Team>())
            all[0].points = 10
            all[5].points = -1
            context.delete(all[4])
            try context.insert(Team.self) { Team(id: $0, name: "G", points: 3) }
            let positive = Filter<Team>.matching(#Predicate { $0.points >= 0 })
            let cases: [(FetchRequest<Team>, [String])] = [
                (FetchRequest(positive, sort: Self.byPointsDown), ["A", "D", "G", "C", "B"]),
                (FetchRequest(positive, sort: Self.byPointsDown, limit: 2), ["A", "D"]),
                (FetchRequest(positive, sort: Self.byPointsDown, limit: 2, offset: 2), ["G", "C"]),
                (FetchRequest(positive, sort: Self.byPointsDown, limit: 9, offset: 4), ["B"]),
                (FetchRequest(positive, sort: Self.byPointsDown, offset: 5), []),
                (FetchRequest(positive, limit: 0), []),
                (FetchRequest(), ["A", "B", "C", "D", "F", "G"]),
                (FetchRequest(where: #Predicate { $0.points == 10 }), ["A"]),
                (FetchRequest(where: #Predicate { $0.points == 0 }), []),
                (FetchRequest(where: #Predicate { $0.name == "E" }), []),
            ]
            for (request, names) in cases {
                #expect(try context.fetch(request).map(\.name) == names)
                #expect(try context.fetchRecords(request).map(\.name) == names)
                #expect(try context.count(request) == names.count)
            }
        }
    }

    @Test("more pending changes than a list of parameters takes", arguments: StoreKind.allCases)
    func manyPending(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            for number in 1...2500 {
                try context.insert(Team.self) { Team(id: $0, name: "T\(number)", points: number) }
            }
            try context.save()
            for team in try context.fetch(FetchRequest<Team>()) where team.points > 100 { team.points = 0 }
            #expect(try context.count(FetchRequest<Team>(where: #Predicate { $0.points > 0 })) == 100)
            #expect(try context.fetch(FetchRequest<Team>(where: #Predicate { $0.points > 0 })).count == 100)
        }
    }

    @Test("a request that cannot be is refused with pending changes and without", arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        try stack.background.performAndWait { context in
            for _ in 1...2 {
                let error = try persistenceError { _ = try context.fetch(FetchRequest<Team>(limit: -1)) }
                #expect("\(error)" == "Team: the limit is -1, it is at least 0")
                try context.insert(Team.self) { Team(id: $0, name: "New") }
            }
        }
    }

    @Test("filters combine", arguments: StoreKind.allCases)
    func filters(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        let few = Filter<Team>.matching(#Predicate { $0.points < 3 })
        let cases: [(Filter<Team>, [String])] = [
            (few && .matching(#Predicate { $0.points > 0 }), ["B", "C"]),
            (few || .matching(#Predicate { $0.name == "F" }), ["A", "B", "C", "F"]),
            (!few, ["D", "E", "F"]),
            (.text(\.name, contains: "b", ignoringCase: true), ["B"]),
            (.text(\.name, contains: "b", ignoringCase: false), []),
            (.prefix(\.name, of: "c", ignoringCase: true), ["C"]),
            (.prefix(\.name, of: "C", ignoringCase: false), ["C"]),
            (.all([]), ["A", "B", "C", "D", "E", "F"]), (.any([]), []),
            (.condition(.compare(.property("points"), .equal, .constant(.integer(4)))), ["E"]),
        ]
        for (filter, names) in cases {
            let found = try stack.background.performAndWait { try $0.fetchRecords(FetchRequest(filter)).map(\.name) }
            #expect(found == names)
        }
        let request = FetchRequest(few).filtered(.matching(#Predicate { $0.name != "A" }))
        #expect(try stack.background.performAndWait { try $0.fetchRecords(request).map(\.name) } == ["B", "C"])
    }

    @Test("a context forgets objects that nobody uses, and keeps those with changes", arguments: StoreKind.allCases)
    func weak(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        try stack.background.performAndWait { context in
            try context.fetch(FetchRequest<Team>(limit: 1)).first?.points = 8
            let ids = try context.fetchRecords(FetchRequest<Team>()).map(\.id)
            #expect(
                ids.map { context.registeredObject(for: $0, of: Team.self) != nil } == [true]
                    + Array(repeating: false, count: 5))
        }
    }
}
