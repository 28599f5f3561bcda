import Testing

@testable import StrataFixtures

@Suite("Random days with weights of weekdays")
struct WeightedDaysTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let days: Range<Int64>
        let weights: [Int]
        var testDescription: String { "\(days) \(weights)" }
    }

    static let weights: [[Int]] = [
        [1, 1, 1, 1, 1, 1, 1], [40, 20, 20, 15, 10, 1, 1], [0, 0, 1, 0, 0, 0, 0], [0, 3, 0, 2, 0, 1, 0],
        [1, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 5, 7],
    ]

    static let cases: [Case] = weights.flatMap { weights in
        [0..<1, 0..<7, 3..<10, -5..<2, -8..<(-1), -15..<20, 2..<4, 1..<29, -730_851..<(-730_840)].map {
            Case(days: $0, weights: weights)
        }
    }

    @Test("over all outcomes, each day occurs exactly as often as the weight of its weekday", arguments: cases)
    func proportions(_ one: Case) {
        var expected: [Int64: Int] = [:]
        for day in one.days {
            let weight = one.weights[CivilDay.weekday(day)]
            if weight > 0 { expected[day] = weight }
        }
        let total = UInt64(expected.values.reduce(0, +))
        guard let days = WeightedDays(one.days, weights: one.weights) else {
            #expect(total == 0)
            return
        }
        var counted: [Int64: Int] = [:]
        // The least bits of each outcome: the outcome times 2^64 divided by the total, rounded up.
        for outcome in 0..<total {
            let bits = outcome == 0 ? 0 : total.dividingFullWidth((outcome, 0)).quotient + 1
            counted[days.day(total == 1 ? 0 : bits), default: 0] += 1
        }
        #expect(counted == expected)
    }

    @Test("the least and the greatest random bits select a day of the range with a weight above 0", arguments: cases)
    func ends(_ one: Case) {
        guard let days = WeightedDays(one.days, weights: one.weights) else {
            #expect(one.days.allSatisfy { one.weights[CivilDay.weekday($0)] == 0 })
            return
        }
        for bits in [0, 1, UInt64.max / 2, .max] {
            #expect(one.days.contains(days.day(bits)))
            #expect(one.weights[CivilDay.weekday(days.day(bits))] > 0)
        }
    }

    @Test("an initializer without days, or without a day of a weight above 0, returns nil")
    func none() {
        #expect(WeightedDays(5..<5, weights: [1, 1, 1, 1, 1, 1, 1]) == nil)
        #expect(WeightedDays(0..<100, weights: [0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(WeightedDays(0..<100, weights: []) == nil)
        // The weights permit only weekends, and the range is a Monday and a Tuesday.
        #expect(WeightedDays(0..<2, weights: [0, 0, 0, 0, 0, 1, 1]) == nil)
    }
}
