import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("Fetching")
struct FetchingTests {
    /// Returns a stack with the teams A to F, which have 0 to 5 points.
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

    private static let byPointsDown = [SortKey<Team>(\.points, order: .reverse)]

    @Test("a request applies its predicate, sort order, limit and offset", arguments: StoreKind.allCases)
    func window(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        let request = FetchRequest<Team>(
            where: #Predicate { $0.points >= 1 }, sort: Self.byPointsDown, limit: 2, offset: 1)
        let names = try stack.background.performAndWait { try $0.fetch(request).map(\.name) }
        #expect(names == ["E", "D"])
        #expect(try stack.background.performAndWait { try $0.count(request) } == 2)
        #expect(try stack.background.performAndWait { try $0.fetchRecords(request).map(\.points) } == [4, 3])
    }

    @Test(
        "a fetch includes pending changes before it sorts and applies the limit and offset",
        arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        try stack.background.performAndWait { context in
            let all = try context.fetch(FetchRequest<Team>())
            all[0].points = 10
            all[5].points = -1
            context.delete(all[4])
            try context.insert(Team.self) { Team(id: $0, name: "G", points: 3) }
            let positive = RecordFilter<Team>.matching(#Predicate { $0.points >= 0 })
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

    @Test("a fetch handles more pending changes than a statement has parameters", arguments: StoreKind.allCases)
    func manyPending(_ kind: StoreKind) throws {
        let stack = try kind.league()
        // An SQLite statement takes 32,766 parameters.
        let count = kind == .sqlite ? 33_000 : 1_000
        try stack.background.performAndWait { context in
            for number in 1...count {
                try context.insert(Team.self) { Team(id: $0, name: "T\(number)", points: number) }
            }
            try context.save()
            for team in try context.fetch(FetchRequest<Team>()) where team.points > 100 { team.points = 0 }
            #expect(try context.count(FetchRequest<Team>(where: #Predicate { $0.points > 0 })) == 100)
            #expect(try context.fetch(FetchRequest<Team>(where: #Predicate { $0.points > 0 })).count == 100)
        }
    }

    @Test(
        "a request with a negative limit is rejected, with and without pending changes", arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        try stack.background.performAndWait { context in
            for _ in 1...2 {
                let error = try persistenceError { _ = try context.fetch(FetchRequest<Team>(limit: -1)) }
                #expect("\(error)" == "Team: the limit is -1, but must be at least 0")
                try context.insert(Team.self) { Team(id: $0, name: "New") }
            }
        }
    }

    @Test("filters of a request are combined with and, or and not", arguments: StoreKind.allCases)
    func filters(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        let few = RecordFilter<Team>.matching(#Predicate { $0.points < 3 })
        let cases: [(RecordFilter<Team>, [String])] = [
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

    @Test("a thousand filters that are joined one by one form one flat list", arguments: StoreKind.allCases)
    func joined(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        let named = (1...1000).map { RecordFilter<Team>.text(\.name, contains: "N\($0)", ignoringCase: false) }
        let any = named.reduce(.prefix(\.name, of: "B", ignoringCase: false)) { $0 || $1 }
        let all = named.reduce(.prefix(\.name, of: "B", ignoringCase: false)) { $0 && !$1 }
        for (filter, names) in [(any, ["B"]), (all, ["B"]), (RecordFilter.any([any, .any(named)]), ["B"])] {
            #expect(
                try stack.background.performAndWait { try $0.fetchRecords(FetchRequest(filter)).map(\.name) } == names)
        }
        guard case .any(let parts) = try any.condition(), case .all(let others) = try all.condition() else {
            Issue.record("not one list")
            return
        }
        #expect(parts.count == 1001 && others.count == 1001)
    }

    @Test(
        "a condition accepts a list of any length, but rejects a long list of texts if one contains a null character",
        arguments: StoreKind.allCases)
    func longLists(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        let numbers = (3...33_000).map { StoredValue.integer($0) }
        let filter = RecordFilter<Team>.condition(.isIn(.property("points"), numbers + [.null]))
        #expect(try stack.background.performAndWait { try $0.count(FetchRequest(filter)) } == 3)
        #expect(try stack.background.performAndWait { try $0.count(FetchRequest(!filter)) } == 3)
        let hostile = ["a\"b", "c\\d", "\u{1}\n", "{x},\"", "NULL", "é\u{1F600}'"]
        let texts = (0...40_000).map { StoredValue.string("T\($0)") } + hostile.map(StoredValue.string)
        let named = RecordFilter<Team>.condition(.isIn(.property("name"), texts))
        #expect(try stack.background.performAndWait { try $0.count(FetchRequest(named)) } == 0)
        try stack.background.performAndWait { context in
            for (place, name) in hostile.enumerated() {
                try context.insert(Team(id: try #require(TeamID(rawValue: Int64(50 + place))), name: name, points: 1))
            }
            try context.save()
            #expect(try context.fetch(FetchRequest(named)).map(\.name) == hostile)
        }
        let mixed = (0...32_000).map { StoredValue.string("T\($0)") } + [.string("\0")]
        let error = try persistenceError {
            _ = try stack.background.performAndWait {
                try $0.count(FetchRequest<Team>(.condition(.isIn(.property("name"), mixed))))
            }
        }
        #expect(error.code == .invalidRequest)
        #expect("\(error)".contains("the list has 32002 values; a list of more than 32000 values can contain"))
    }

    @Test(
        "a fetch returns a pending object once if the store has a row with the same identifier",
        arguments: StoreKind.allCases)
    func insertedTwice(_ kind: StoreKind) throws {
        let stack = try teams(kind)
        try stack.background.performAndWait { context in
            let id = try #require(TeamID(rawValue: 2))
            try context.insert(Team(id: id, name: "New", points: 9))
            #expect(try context.fetch(FetchRequest<Team>()).map(\.name) == ["A", "New", "C", "D", "E", "F"])
        }
    }

    @Test("a context releases unused objects and retains changed objects", arguments: StoreKind.allCases)
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
