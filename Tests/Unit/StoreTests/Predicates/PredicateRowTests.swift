import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Predicates evaluated by the stores, compared with `Predicate.evaluate` on the records.
@Suite("Predicates: rows")
struct PredicateRowTests {
    private func players(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.background.performAndWait { context in
            let salaries = ["0", "5.70", "1000.01", "12"].map { Decimal(string: $0) ?? 0 }
            let grades = ["A", "B", "Z", "A"].compactMap(Grade.init(rawValue:))
            for (index, name) in ["Ann", "Bob", "Anna", "Zoe"].enumerated() {
                try context.insert(Player.self) { id in
                    Player(
                        id: id, name: name, number: index == 1 ? nil : index, salary: salaries[index],
                        born: Date(timeIntervalSinceReferenceDate: Double(index) * 86_400),
                        license: UUID(uuid: (UInt8(index), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)),
                        grade: grades[index], isActive: index < 2, form: index == 0 ? nil : Double(index) / 2,
                        team: index == 3 ? team.id : nil)
                }
            }
            try context.save()
        }
        return stack
    }

    static let predicates: [(String, Predicate<Player>)] = {
        let (salary, day) = (Decimal(string: "5.7") ?? 0, Date(timeIntervalSinceReferenceDate: 86_400))
        let license = UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9))
        let (best, team, first) = (Grade.best, TeamID(rawValue: 1), PlayerID(rawValue: 1))
        let (names, numbers, days) = (Set(["Ann", "Zoe"]), [0, nil] as [Int?], day...day.addingTimeInterval(86_400))
        let (none, prices) = ([String](), Decimal(5)..<Decimal(13))
        return [
            ("salary", #Predicate { $0.salary == salary }), ("more salary", #Predicate { $0.salary > salary }),
            ("date", #Predicate { $0.born < day }), ("days", #Predicate { days.contains($0.born) }),
            ("license", #Predicate { $0.license == license }), ("grade", #Predicate { $0.grade == best }),
            ("grade's text", #Predicate { $0.grade.rawValue != "A" }),
            ("team", #Predicate { $0.team == team }), ("no team", #Predicate { $0.team == nil }),
            ("id", #Predicate { $0.id.rawValue > 2 }), ("names", #Predicate { names.contains($0.name) }),
            ("numbers", #Predicate { numbers.contains($0.number) }), ("none", #Predicate { none.contains($0.name) }),
            ("prices", #Predicate { prices.contains($0.salary) }),
            ("part", #Predicate { $0.name.contains("nn") }), ("beginning", #Predicate { $0.name.starts(with: "Ann") }),
            ("sum", #Predicate { ($0.number ?? 10) * 2 + 1 > 4 }), ("form", #Predicate { ($0.form ?? 9) / 2 < 0.6 }),
            ("flag", #Predicate { $0.isActive }), ("not flag", #Predicate { !$0.isActive }),
            ("nil", #Predicate { $0.number == nil }), ("not nil", #Predicate { $0.number != nil }),
            ("if let", #Predicate { if let form = $0.form { form > 0.6 } else { true } }),
            ("chain", #Predicate { $0.team?.rawValue == 1 }),
            ("choice", #Predicate { ($0.isActive ? $0.name : "Ann") == "Ann" }),
            ("both", #Predicate { $0.name > "Anm" && ($0.number == nil || $0.isActive) }),
            ("first", #Predicate { $0.id == first ?? $0.id }),
        ]
    }()

    @Test(
        "a calculation that always fails throws if there is a row, and does not throw without rows",
        arguments: StoreKind.allCases)
    func constants(_ kind: StoreKind) throws {
        let least = FetchOperand.function(.absolute, .constant(.integer(.min)))
        let request = StoreRequest("Player", where: .compare(least, .equal, .constant(.integer(1))))
        let empty = try kind.league()
        #expect(try empty.container.coordinator.store.rows(request).isEmpty)
        let store = try players(kind).container.coordinator.store
        #expect(try persistenceError { _ = try store.rows(request) }.code == .arithmetic)
    }

    @Test("a predicate selects the rows whose records it matches", arguments: StoreKind.allCases, predicates)
    func rows(_ kind: StoreKind, _ example: (name: String, predicate: Predicate<Player>)) throws {
        let stack = try players(kind)
        let all: [Player] = try stack.stored()
        let wanted = try all.filter { try example.predicate.evaluate($0) }.map(\.name)
        let request = FetchRequest<Player>(where: example.predicate)
        let found = try stack.background.performAndWait { try $0.fetchRecords(request).map(\.name) }
        #expect(all.count == 4 && found == wanted)
    }

    @Test("decimals are sorted by their numeric values", arguments: StoreKind.allCases)
    func sorted(_ kind: StoreKind) throws {
        let stack = try players(kind)
        let request = FetchRequest<Player>(sort: [SortKey(\.salary, order: .reverse), SortKey(\.id)])
        #expect(
            try stack.background.performAndWait { try $0.fetchRecords(request).map(\.name) } == [
                "Anna", "Zoe", "Bob", "Ann",
            ])
    }

    @Test("a fetch throws if the arithmetic in its predicate fails", arguments: StoreKind.allCases)
    func failing(_ kind: StoreKind) throws {
        let stack = try players(kind)
        let error = try persistenceError {
            let request = FetchRequest<Player>(where: #Predicate { 10 / ($0.number ?? 0) > 1 })
            _ = try stack.background.performAndWait { try $0.fetchRecords(request).count }
        }
        #expect(error.code == .arithmetic)
        #expect(
            error.message == "a calculation divides by zero; in a condition, test the divisor in a comparison before it"
        )
    }
}
