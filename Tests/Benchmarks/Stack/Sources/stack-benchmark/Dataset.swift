import Foundation

/// The data of both sides: the same people, derived from their numbers.
struct Dataset: Sendable {
    /// One employee in types that the records of both sides use.
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
    /// The stride of updated employees.
    static let updateStride: Int64 = 10

    let employees: [Person]
    let bosses: [Person]
    /// All employees' identifiers in an order with poor cache locality, which is the same in every run.
    let shuffledIDs: [Int64]

    init() {
        var random = SplitMix(state: 2026)
        bosses = (1...Int64(Self.bossCount)).map { Self.person($0, boss: nil, &random) }
        employees = (1...Int64(Self.employeeCount)).map { id in
            // One of twenty employees has no boss, so that null is read and written too.
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
            // Dates have milliseconds like those of a clock; whole days would need less space on disk.
            dateHired: Date(timeIntervalSinceReferenceDate: Double(random.next() % 800_000_000_000) / 1000),
            boss: boss)
    }

    // One of ten names exceeds the 15 bytes that a Swift string stores inline.
    private static let firstNames = [
        "Ada", "Grace", "Hilma", "Margaret", "Barbara", "Katherine", "Mary Jane", "Joan", "Sofja", "Wilhelmina Anne",
    ]
    private static let lastNames = [
        "Lovelace", "Hopper", "af Klint", "Hamilton", "Liskov", "Johnson", "Somerville", "Clarke", "Kowalewskaja",
        "Featherstonehaugh-Smythe",
    ]
}

/// A generator of the same random numbers in every run.
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

/// A checksum of the values in a round, which prevents optimization and proves that both sides did the same work.
struct Checksum: Equatable, Sendable {
    private(set) var value: UInt64 = 0

    @inline(__always)
    mutating func add(id: Int64, name: String, salary: Int, dateHired: Date, boss: Int64?) {
        value =
            value &* 31 &+ UInt64(bitPattern: id) &+ UInt64(name.utf8.count) &+ UInt64(truncatingIfNeeded: salary)
            &+ dateHired.timeIntervalSinceReferenceDate.bitPattern &+ UInt64(bitPattern: boss ?? -1)
    }
}
