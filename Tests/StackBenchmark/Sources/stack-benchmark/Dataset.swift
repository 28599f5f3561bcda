import Foundation

/// What both sides store: the same people, made of nothing but their numbers.
struct Dataset: Sendable {
    /// One employee in the types that either side's record is made of.
    struct Person: Sendable {
        var id: Int64
        var firstName: String
        var lastName: String
        var salary: Int
        var dateHired: Date
        var boss: Int64?
    }

    static let employeeCount = 100_000
    static let bossCount = 1_000
    /// Every tenth employee is updated.
    static let updateStride: Int64 = 10

    let employees: [Person]
    let bosses: [Person]
    /// All employees' identifiers in an order that no page cache likes, the same in every run.
    let shuffledIDs: [Int64]

    init() {
        var random = SplitMix(state: 2026)
        bosses = (1...Int64(Self.bossCount)).map { Self.person($0, boss: nil, &random) }
        employees = (1...Int64(Self.employeeCount)).map { id in
            // One in twenty reports to nobody, so that null is read and written too.
            let boss = random.next() % 20 == 0 ? nil : Int64(random.next() % UInt64(Self.bossCount)) + 1
            return Self.person(id, boss: boss, &random)
        }
        shuffledIDs = employees.map(\.id).shuffled(using: &random)
    }

    private static func person(_ id: Int64, boss: Int64?, _ random: inout SplitMix) -> Person {
        Person(
            id: id,
            firstName: firstNames[Int(random.next() % UInt64(firstNames.count))],
            lastName: lastNames[Int(random.next() % UInt64(lastNames.count))],
            salary: 20_000 + Int(random.next() % 100_000),
            // To the millisecond: as a clock gives them, not whole days, which would be shorter on disk.
            dateHired: Date(timeIntervalSinceReferenceDate: Double(random.next() % 800_000_000_000) / 1000),
            boss: boss)
    }

    // One of ten is longer than the 15 bytes that a Swift string holds without memory of its own.
    private static let firstNames = [
        "Ada", "Grace", "Hilma", "Margaret", "Barbara", "Katherine", "Mary Jane", "Joan", "Sofja", "Wilhelmina Anne",
    ]
    private static let lastNames = [
        "Lovelace", "Hopper", "af Klint", "Hamilton", "Liskov", "Johnson", "Somerville", "Clarke", "Kowalewskaja",
        "Featherstonehaugh-Smythe",
    ]
}

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// What a round saw, so that nothing is optimised away and both sides are known to have done the same.
struct Checksum: Equatable, Sendable {
    private(set) var value: UInt64 = 0

    @inline(__always)
    mutating func add(id: Int64, name: String, salary: Int, dateHired: Date, boss: Int64?) {
        value =
            value &* 31 &+ UInt64(bitPattern: id) &+ UInt64(name.utf8.count) &+ UInt64(truncatingIfNeeded: salary)
            &+ dateHired.timeIntervalSinceReferenceDate.bitPattern &+ UInt64(bitPattern: boss ?? -1)
    }
}
