import Domain
import FixtureGeneration
import Foundation
import Testing

@Suite("What is generated keeps within its ranges")
struct RangeTests {
    private let dataset = DatasetGenerator(seed: 2_026)
    private let count = 100_000

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test("salaries, hire dates and bosses")
    func employees() throws {
        let hired = try date("1995-01-01T00:00:00Z")...date("2024-12-31T23:59:59Z")
        var salaries: [Int] = []
        var dates: [Date] = []
        var without = 0
        var led: [Boss.ID: Int] = [:]
        for index in 0..<20_000 {
            let employee = try dataset.employee(at: index, bosses: 20)
            salaries.append(employee.salary)
            dates.append(employee.dateHired)
            if let boss = employee.boss { led[boss, default: 0] += 1 } else { without += 1 }
        }
        #expect(salaries.allSatisfy { (20_000...250_000).contains($0) && $0.isMultiple(of: 100) })
        #expect(
            dates.allSatisfy {
                hired.contains($0) && $0.timeIntervalSinceReferenceDate.rounded() == $0.timeIntervalSinceReferenceDate
            })
        #expect((800...1_200).contains(without))
        #expect(led.keys.sorted().map(\.rawValue) == Array(1...20))
        #expect(led.values.allSatisfy { (800...1_100).contains($0) })
        // The whole of each range is used, not a corner of it.
        #expect(Set(salaries).count > 2_200)
        let years = Set(dates.map { Int($0.timeIntervalSinceReferenceDate / 31_557_600) })
        #expect(years.count >= 29)
    }

    @Test("without bosses nobody has one")
    func leaderless() throws {
        #expect(try (0..<500).allSatisfy { try dataset.employee(at: $0).boss == nil })
    }

    @Test("items cost less than they sell for, and their outer identities are unique UUIDs of version 4")
    func items() throws {
        var seen: Set<UUID> = []
        var outOfStock = 0
        for index in 0..<count {
            let item = try dataset.item(at: index)
            if item.unitCost >= item.unitPrice { Issue.record("\(item) sells below its cost") }
            if item.stockCount == 0 { outOfStock += 1 }
            if item.itemId.uuid.6 >> 4 != 4 || item.itemId.uuid.8 >> 6 != 2 { Issue.record("\(item.itemId)") }
            seen.insert(item.itemId)
        }
        #expect(seen.count == count)
        #expect((4_000...6_000).contains(outOfStock))
    }

    @Test("ids are the index plus 1")
    func ids() throws {
        for index in [0, 1, 999, 1_000_000, 9_007_199_254_740_990] {
            let id = Int64(index) + 1
            #expect(try dataset.color(at: index).id.rawValue == id)
            #expect(try dataset.boss(at: index).id.rawValue == id)
            #expect(try dataset.employee(at: index).id.rawValue == id)
            #expect(try dataset.item(at: index).id.rawValue == id)
        }
    }

    @Test("an index that no id follows is refused", arguments: [-1, 9_007_199_254_740_991, Int.max, Int.min])
    func index(index: Int) {
        let message = "DatasetGenerator.index: \(index) is not from 0 to 9007199254740990"
        for entity in Entity.allCases {
            let error = #expect(throws: DomainError.self) { try entity.row(dataset, index) }
            #expect(error?.description == message)
        }
    }

    @Test("a negative number of bosses is refused")
    func bosses() {
        let error = #expect(throws: DomainError.self) { try dataset.employee(at: 0, bosses: -1) }
        #expect(error?.description == "DatasetGenerator.bosses: -1 is less than 0")
    }
}
