import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("Selecting values, groups and aggregates")
struct SelectingTests {
    /// Returns a stack with two teams and five players; one player has no team and no number.
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.league()
        let (red, blue) = (try stack.team("Red", motto: "Run", points: 4), try stack.team("Blue", points: 9))
        try stack.player("Ann", number: 1, salary: 10.5, team: red.id)
        try stack.player("Ben", number: 2, salary: 20, team: red.id)
        try stack.player("Cyd", number: 7, salary: 30.25, team: blue.id)
        try stack.player("Dan", salary: 30.25, team: blue.id)
        try stack.player("Eve", salary: 0)
        return stack
    }

    private static let salaries = Aggregate<Player, Decimal?>.sum(\.salary)

    @Test("groups have typed keys and aggregates", arguments: StoreKind.allCases)
    func groups(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        let rows = try await context.aggregate(
            FetchRequest<Player>(), by: .related(\.team, \Team.name), .yearMonth(\.born),
            select: .count(), Self.salaries, .average(\.salary), .maximum(\.name), .minimum(\.number),
            having: .compare(Self.salaries, .greater, 1), order: [.value(Self.salaries, order: .reverse)])
        #expect(rows.map(\.key.0) == ["Blue", "Red"])
        #expect(rows.map(\.key.1) == ["2001-01", "2001-01"])
        let (count, sum, average, greatest, least) = try #require(rows.first).values
        #expect(count == 2 && sum == 60.5 && average == 30.25 && greatest == "Dan" && least == 7)
        let all = try await context.aggregate(
            FetchRequest<Player>(), by: .property(\.team), select: .count(), order: [.key(.property(\.team))], limit: 2)
        #expect(all.map(\.key) == [nil, all[1].key] && all.map(\.values) == [1, 2])
        let without = try await context.aggregate(
            FetchRequest<Player>(), by: .property(\.team), select: .total(\.number),
            having: .any([.key(.property(\.team), .equal, nil), .not(.all([]))]))
        #expect(without.map(\.values) == [0])
    }

    @Test("an aggregate over all records is a value, and several ones are a tuple", arguments: StoreKind.allCases)
    func aggregates(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        let (count, given, different, numbers) = try await context.aggregate(
            FetchRequest<Player>(), .count(), .count(\.number), .count(distinct: \.salary, \.isActive), .sum(\.number))
        #expect(count == 5 && given == 3 && different == 4 && numbers == 10)
        let rich = FetchRequest<Player>(where: #Predicate { $0.salary > 100 })
        let (none, zero) = try await context.aggregate(rich, .sum(\.salary), .total(\.salary))
        #expect(none == nil && zero == 0)
        let firstTwo = FetchRequest<Player>(sort: [SortKey(\.name)], limit: 2)
        let sum = try await context.aggregate(firstTwo, .sum(\.salary))
        #expect(sum == Decimal(30.5))
        let spread = Aggregate<Player, Decimal?>.value(
            .arithmetic(
                .aggregate(.maximum(.property("salary"))), .subtract, .aggregate(.minimum(.property("salary")))))
        let difference = try await context.aggregate(FetchRequest(), spread)
        #expect(difference == Decimal(30.25))
    }

    @Test("selected columns are typed, and equal ones can be returned once", arguments: StoreKind.allCases)
    func columns(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        let byName = FetchRequest<Player>(sort: [SortKey(\.name)], limit: 2)
        let pairs = try await context.select(byName, \.id, \.number)
        #expect(pairs.map(\.1) == [1, 2] && Set(pairs.map(\.0)).count == 2)
        let teams = try await context.select(FetchRequest<Player>(), distinct: true, \.team)
        #expect(teams.count == 3 && teams[0] == nil)
        let motto = RecordValue<Player, String?>.related(\.team, \Team.motto)
        let mottoes = try await context.select(byName, values: .property(\.name), motto, .year(\.born))
        #expect(
            mottoes.map(\.0) == ["Ann", "Ben"] && mottoes.map(\.1) == ["Run", "Run"]
                && mottoes.map(\.2) == [2001, 2001])
        let rich = RecordValue<Team, Decimal?>.value(
            .relatedAggregate("players", .sum(.property("salary")), .constant(true)))
        let sums: [Decimal?] = [30.5, 60.5]
        #expect(try await context.select(FetchRequest<Team>(), values: rich) == sums)
    }

    @Test("a value of another type, and a key path without a column, are errors")
    func refused() async throws {
        let context = try stack(.inMemory).background
        let wrong = RecordValue<Player, Int>.value(.property("name"))
        await #expect { _ = try await context.select(FetchRequest<Player>(), values: wrong) } throws: {
            ($0 as? PersistenceError)?.code == .unreadable
        }
        await #expect { _ = try await context.select(FetchRequest<Player>(), \.name.count) } throws: {
            ($0 as? PersistenceError)?.code == .invalidRequest
        }
        await #expect {
            _ = try await context.aggregate(
                FetchRequest<Player>(), by: .property(\.name), select: .count(),
                having: .key(.property(\.number), .equal, 1))
        } throws: { "\($0)".contains("neither a key of the groups nor inside an aggregate") }
    }

    @Test("results include pending changes, also those of related objects", arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            func described() throws -> [String] {
                let rows = try context.aggregate(
                    FetchRequest<Player>(), by: .related(\.team, \Team.name), select: Self.salaries)
                return rows.map { row in "\(row.values ?? -1)" }
            }
            #expect(try described().joined(separator: " ") == "0 60.5 30.5")
            let players = try context.fetch(FetchRequest<Player>(sort: [SortKey(\.name)]))
            try players[0].update { $0.salary = 100 }
            context.delete(players[4])
            #expect(try described().joined(separator: " ") == "60.5 120")
            let teams = try context.fetch(FetchRequest<Team>(sort: [SortKey(\.name)]))
            try teams[0].update { $0.name = "Violet" }
            #expect(try described().joined(separator: " ") == "120 60.5")
            #expect(try context.aggregate(FetchRequest<Player>(), .count()) == 4)
            #expect(try context.select(FetchRequest<Team>(sort: [SortKey(\.name)]), \.name) == ["Red", "Violet"])
            try context.save()
            #expect(try described().joined(separator: " ") == "120 60.5")
        }
        try stack.background.performAndWait { context in
            _ = try context.insert(Player.self) { Player(id: $0, name: "Fay", salary: 1) }
        }
        try stack.background.newChildContext().performAndWait { child in
            let (count, least) = try child.aggregate(FetchRequest<Player>(), .count(), .minimum(\.salary))
            #expect(count == 5 && least == 1)
        }
    }

    @Test("versions of rows are those of the records", arguments: StoreKind.allCases)
    func versions(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        let request = FetchRequest<Player>(sort: [SortKey(\.name, order: .reverse)])
        let before = try await stack.background.fetchVersions(request)
        #expect(before.map(\.id) == (try await stack.background.fetch(request).map(\.id)))
        _ = try await stack.background.update(Player.self, id: before[1].id) { $0.salary = 1 }
        let after = try await stack.background.fetchVersions(request)
        #expect(zip(before, after).map { $0 == $1 } == [true, false, true, true, true])
        let versioned = try await stack.background.transaction { try $0.versioned(request) }
        #expect(after == versioned.map { RecordVersion(id: $0.record.id, version: $0.version) })
    }

    @Test("selections in text form have named columns", arguments: StoreKind.allCases)
    func texts(_ kind: StoreKind) async throws {
        let context = try stack(kind).background
        let model = try League.model()
        let text = try PredicateText("Player", in: model)
        let selection = try text.selection(
            "team.name as club, count(), avg(salary) as mean, max(number) - 1", where: "name != 'Eve'",
            having: "count() > 1 and sum(salary) >= 1", sort: "avg(salary) desc, team.name")
        #expect(selection.names == ["club", "count()", "mean", "max(number) - 1"])
        let rows = try await context.select(selection, of: Player.entity)
        #expect(rows.map { $0["club"] } == [.string("Blue"), .string("Red")])
        #expect(try rows.map { try $0.value("mean", as: Decimal.self) } == [30.25, 15.25])
        #expect(rows.map { $0.dictionary["max(number) - 1"] } == [.integer(6), .integer(1)])
        #expect(throws: PersistenceError.self) { _ = try rows[0].value("nothing", as: Int.self) }
        let counts = try text.selection("count(number), count(team), count(length(name)), count(distinct salary)")
        let counted = try await context.select(counts, of: Player.entity)
        #expect(counted.map(\.values) == [[.integer(3), .integer(4), .integer(5), .integer(4)]])
        let related = try text.selection("name, count(team.players), count(team.players.number)", where: "number = 7")
        let players = try await context.select(related, of: Player.entity)
        #expect(players.map(\.values) == [[.string("Cyd"), .integer(2), .integer(1)]])
        let named = try text.selection(
            "team.name as name, max(number) as number, count() as n", having: "n > 1 and max(number) > 1",
            sort: "number + n desc")
        let sorted = try await context.select(named, of: Player.entity)
        #expect(
            sorted.map(\.values) == [
                [.string("Blue"), .integer(7), .integer(2)], [.string("Red"), .integer(2), .integer(2)],
            ])
        let reversed = try text.selection("upper(name) as upper", sort: "upper desc", limit: 1)
        #expect(try await context.select(reversed, of: Player.entity).map(\.values) == [[.string("EVE")]])
        let plain = try text.selection(
            "upper(name), month(born), number", where: "sum(team.players.salary) > 40", sort: "number desc", limit: 1)
        #expect(
            try await context.select(plain, of: Player.entity).map(\.values)
                == [[.string("CYD"), .string("2001-01"), .integer(7)]])
    }

    @Test("the text of a selection has errors with their positions")
    func textErrors() throws {
        let text = try PredicateText("Player", in: try League.model())
        let cases = [
            ("count() +", "column 10: a value is expected instead of the end"),
            ("sum(name)", "column 1: sum() cannot be applied to a string"),
            ("sum(sum(salary))", "column 1: sum() computes a value from many rows"),
            ("count(nothing)", "column 7: there is no attribute \"nothing\""),
            ("name as", "column 8: a name is expected after \"as\""),
            ("name number", "column 6: a comma, \"as\" or the end is expected"),
        ]
        for (columns, message) in cases {
            #expect(throws: PredicateTextError.self) {
                do { _ = try text.selection(columns) } catch {
                    #expect("\(error)".hasPrefix(message), "\(error)")
                    throw error
                }
            }
        }
        #expect(throws: PredicateTextError.self) { _ = try text.condition("count() > 1") }
        #expect(throws: PredicateTextError.self) { _ = try text.selection("name", where: "sum(salary) > 1") }
    }

    @Test("a double that only fetches records selects their values by default")
    func double() async throws {
        let players = try await stack(.inMemory).background.fetch(FetchRequest<Player>())
        let double = FetchedRecords(players)
        let request = FetchRequest<Player>(sort: [SortKey(\.name)])
        #expect(try double.select(request, \.name) == ["Ann", "Ben", "Cyd", "Dan", "Eve"])
        let rows = try double.aggregate(request, by: .property(\.team), select: .count(), Self.salaries)
        #expect(rows.map(\.values.0) == [1, 2, 2] && rows.map(\.values.1) == [0, 30.5, 60.5])
        let average = try double.aggregate(request, .average(\.number))
        #expect(average == 10.0 / 3)
        #expect(try double.page(request, size: 2).records.map(\.name) == ["Ann", "Ben"])
        #expect(throws: PersistenceError.self) { _ = try double.select(request, values: .related(\.team, \Team.name)) }
    }
}
