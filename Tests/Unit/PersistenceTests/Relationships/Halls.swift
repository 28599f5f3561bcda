import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit

/// Halls whose relationships have every kind of bound.
enum Halls {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Hall.self, Seat.self, Door.self, Guest.self])
    }

    /// A hall, which has no seats or two to four, one to three doors, no guests or two to three, and at most two twins.
    struct Hall: PersistentRecord {
        let id: LibraryID
        var name = ""

        static let seats = ToMany<Hall, Seat>("seats", to: "Seat", inverse: "hall", minimumCount: 2, maximumCount: 4)
        static let doors = ToMany<Hall, Door>(
            "doors", to: "Door", inverse: "hall", isOptional: false, maximumCount: 3)
        static let guests = ToMany<Hall, Guest>(
            "guests", to: "Guest", inverse: "halls", minimumCount: 2, maximumCount: 3)
        static let twins = ToMany<Hall, Hall>("twins", to: "Hall", inverse: "twins", maximumCount: 2)
        static let entity = RecordEntity<Hall>(
            "Hall", id: \.id,
            [
                .attribute("name", \.name), .relationship(seats), .relationship(doors), .relationship(guests),
                .relationship(twins),
            ]
        ) { Hall(id: try $0.id(), name: try $0.next()) }
    }

    struct Seat: PersistentRecord {
        let id: LibraryID
        var hall: LibraryID?

        static let entity = RecordEntity<Seat>(
            "Seat", id: \.id, [.toOne("hall", \.hall, to: "Hall", inverse: "seats")]
        ) { Seat(id: try $0.id(), hall: try $0.next()) }
    }

    struct Door: PersistentRecord {
        let id: LibraryID
        var hall: LibraryID?

        static let entity = RecordEntity<Door>(
            "Door", id: \.id, [.toOne("hall", \.hall, to: "Hall", inverse: "doors")]
        ) { Door(id: try $0.id(), hall: try $0.next()) }
    }

    struct Guest: PersistentRecord {
        let id: LibraryID

        static let halls = ToMany<Guest, Hall>("halls", to: "Hall", inverse: "guests")
        static let entity = RecordEntity<Guest>("Guest", id: \.id, [.relationship(halls)]) { Guest(id: try $0.id()) }
    }

    /// The contents of the halls, in plain sets.
    struct Contents {
        var halls: Set<Int64> = []
        var guests: Set<Int64> = []
        /// The hall of each seat.
        var seats: [Int64: Int64] = [:]
        var doors: [Int64: Int64] = [:]
        /// The halls and their guests.
        var visits: Set<JoinPair> = []
        /// The halls and their twins, the lesser first.
        var twins: Set<JoinPair> = []

        /// The failures that a save would report, in its order.
        var failures: [String] {
            func broken(_ name: String, _ bounds: ClosedRange<Int>, isOptional: Bool, _ count: (Int64) -> Int)
                -> [String]
            {
                halls.sorted().compactMap { hall in
                    let count = count(hall)
                    if count == 0, isOptional || bounds.contains(0) { return nil }
                    if count < bounds.lowerBound {
                        return "Hall \(hall), \(name): \(count) is below the minimum count of \(bounds.lowerBound)"
                    }
                    guard count > bounds.upperBound else { return nil }
                    return "Hall \(hall), \(name): \(count) is above the maximum count of \(bounds.upperBound)"
                }
            }
            return broken("seats", 2...4, isOptional: true) { hall in seats.values.count { $0 == hall } }
                + broken("doors", 1...3, isOptional: false) { hall in doors.values.count { $0 == hall } }
                + broken("guests", 2...3, isOptional: true) { hall in visits.count { $0.source == hall } }
                + broken("twins", 0...2, isOptional: true) { hall in
                    twins.count { $0.source == hall || $0.target == hall }
                }
        }

        /// Removes a hall and clears the references of its contents.
        mutating func remove(hall: Int64) {
            halls.remove(hall)
            seats = seats.filter { $0.value != hall }
            doors = doors.filter { $0.value != hall }
            visits = visits.filter { $0.source != hall }
            twins = twins.filter { $0.source != hall && $0.target != hall }
        }

        mutating func remove(guest: Int64) {
            guests.remove(guest)
            visits = visits.filter { $0.target != guest }
        }
    }

    /// Four halls with two seats, one door and two guests each; guests 9 and 10 are in no hall.
    static var filled: (contents: Contents, changes: ChangeSet) {
        var (contents, changes) = (Contents(), ChangeSet())
        contents.halls = [1, 2, 3, 4]
        contents.guests = Set(1...10)
        for hall in Int64(1)...4 {
            contents.seats[hall * 10] = hall
            contents.seats[hall * 10 + 1] = hall
            contents.doors[hall * 10] = hall
            contents.visits.formUnion([JoinPair(source: hall, target: hall), JoinPair(source: hall, target: hall + 4)])
        }
        changes["Hall"].insertions = (1...4).map { .init(id: $0, values: [.string("")]) }
        changes["Guest"].insertions = (1...10).map { .init(id: $0, values: []) }
        changes["Seat"].insertions = contents.seats.sorted { $0.key < $1.key }.map {
            .init(id: $0.key, values: [.integer($0.value)])
        }
        changes["Door"].insertions = contents.doors.sorted { $0.key < $1.key }.map {
            .init(id: $0.key, values: [.integer($0.value)])
        }
        changes.joins["Hall_guests", default: .init()].added = contents.visits.map { JoinRow($0) }
        return (contents, changes)
    }
}
