import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// A save rejects exactly the changes that break a bound on a relationship's number of objects, as computed with plain
/// sets.
@Suite("Random changes of bounded relationships")
struct RandomCountTests {
    @Test(
        "random saves in a root and a child context break exactly the expected bounds",
        arguments: Seeds.first(1, of: UInt64(1)...60))
    func agree(seed: UInt64) throws {
        for kind in StoreKind.everyKind {
            for isChild in [false, true] {
                var world = try World(seed, kind, isChild: isChild)
                for number in 1...60 { try world.save(number) }
                #expect(world.refused > 5 && world.stored > 5, "seed \(seed): the changes are worth judging")
            }
        }
    }

    private struct World {
        private let seed: UInt64
        private let name: String
        private let stack: TestStack
        private let parent: ManagedObjectContext
        private let child: ManagedObjectContext?
        private var random: SeededGenerator
        /// The stored contents.
        private var inStore: Halls.Contents
        private var nextID: Int64 = 100
        private(set) var refused = 0
        private(set) var stored = 0

        init(_ seed: UInt64, _ kind: StoreKind, isChild: Bool) throws {
            self.seed = seed
            name = "\(kind)\(isChild ? ", child" : "")"
            random = SeededGenerator(seed: seed)
            stack = try kind.stack(try Halls.model())
            let filled = Halls.filled
            inStore = filled.contents
            _ = try stack.container.coordinator.store.save(filled.changes)
            parent = stack.container.newBackgroundContext(name: "parent")
            child = isChild ? parent.newChildContext() : nil
        }

        /// Makes some changes, and saves them if they break no bound.
        mutating func save(_ number: Int) throws {
            var contents = inStore
            if let child {
                // The parent's unsaved changes count for its child, and must break no bound themselves.
                var pending = contents
                try change(&pending, in: parent)
                if pending.failures.isEmpty { contents = pending } else { parent.performAndWait { $0.rollback() } }
                try change(&contents, in: child)
                guard try save(child, contents, number) else {
                    return parent.performAndWait { $0.rollback() }
                }
                #expect(try save(parent, contents, number), "seed \(seed), save \(number), \(name)")
                inStore = contents
            } else {
                try change(&contents, in: parent)
                if try save(parent, contents, number) { inStore = contents }
            }
        }

        /// - Returns: A Boolean value that indicates whether the save succeeded.
        private mutating func save(_ context: ManagedObjectContext, _ contents: Halls.Contents, _ number: Int) throws
            -> Bool
        {
            let failures = try context.performAndWait { context -> [String] in
                do {
                    try context.save()
                    return []
                } catch let error as PersistenceError where error.code == .validation {
                    context.rollback()
                    return error.failures.map(\.debugDescription)
                }
            }
            #expect(failures == contents.failures, "seed \(seed), save \(number), \(name)")
            if failures.isEmpty { stored += 1 } else { refused += 1 }
            return failures.isEmpty
        }

        private mutating func change(_ contents: inout Halls.Contents, in context: ManagedObjectContext) throws {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let before = contents
                let kind = before.halls.isEmpty ? 8 : Int.random(in: 0..<14, using: &random)
                let hall = before.halls.sorted().randomElement(using: &random) ?? 0
                let seat = before.seats.keys.sorted().randomElement(using: &random)
                let door = before.doors.keys.sorted().randomElement(using: &random)
                let guest = before.guests.sorted().randomElement(using: &random) ?? 0
                nextID += 1
                let step = Step(hall: hall, seat: seat, door: door, guest: guest, new: nextID)
                contents = try context.performAndWait { context in
                    var after = before
                    try step.run(kind, &after, context)
                    return after
                }
            }
        }
    }

    /// One change, in a context and in plain sets.
    private struct Step {
        let hall: Int64
        let seat: Int64?
        let door: Int64?
        let guest: Int64
        let new: Int64

        private func hall(_ context: ConfinedContext) throws -> Managed<Halls.Hall> {
            try context.existingObject(with: LibraryID(unchecked: hall))
        }

        func run(_ kind: Int, _ contents: inout Halls.Contents, _ context: ConfinedContext) throws {
            let (hallID, newID) = (LibraryID(unchecked: hall), LibraryID(unchecked: new))
            switch kind {
            case 0, 1:
                try context.insert(Halls.Seat(id: newID, hall: hallID))
                contents.seats[new] = hall
            case 2, 3:
                try context.insert(Halls.Door(id: newID, hall: hallID))
                contents.doors[new] = hall
            case 4:
                guard let seat else { return }
                try context.existingObject(with: LibraryID(unchecked: seat), of: Halls.Seat.self).hall = hallID
                contents.seats[seat] = hall
            case 5:
                guard let door else { return }
                try context.existingObject(with: LibraryID(unchecked: door), of: Halls.Door.self).hall = hallID
                contents.doors[door] = hall
            case 6:
                guard let seat else { return }
                try context.delete(LibraryID(unchecked: seat), of: Halls.Seat.self)
                contents.seats[seat] = nil
            case 7:
                guard let door else { return }
                try context.existingObject(with: LibraryID(unchecked: door), of: Halls.Door.self).hall = nil
                contents.doors[door] = nil
            case 8:
                try context.insert(Halls.Hall(id: newID))
                contents.halls.insert(new)
                try context.insert(Halls.Door(id: newID, hall: newID))
                contents.doors[new] = new
            case 9: try renew(&contents, context)
            case 10:
                try context.delete(LibraryID(unchecked: guest), of: Halls.Guest.self)
                contents.remove(guest: guest)
            case 11: try visit(&contents, context)
            case 12: try twin(&contents, context)
            default:
                // A change of another value causes no count.
                try hall(context).name += "!"
            }
        }

        /// Deletes the hall, and sometimes inserts another one with its identifier.
        private func renew(_ contents: inout Halls.Contents, _ context: ConfinedContext) throws {
            try context.delete(LibraryID(unchecked: hall), of: Halls.Hall.self)
            contents.remove(hall: hall)
            guard new % 2 == 0 else { return }
            try context.insert(Halls.Hall(id: LibraryID(unchecked: hall)))
            contents.halls.insert(hall)
            guard let door else { return }
            try context.existingObject(with: LibraryID(unchecked: door), of: Halls.Door.self).hall = LibraryID(
                unchecked: hall)
            contents.doors[door] = hall
        }

        /// Adds the guest or removes it.
        private func visit(_ contents: inout Halls.Contents, _ context: ConfinedContext) throws {
            guard contents.guests.contains(guest) else { return }
            let object = try context.existingObject(with: LibraryID(unchecked: guest), of: Halls.Guest.self)
            let pair = JoinPair(source: hall, target: guest)
            if contents.visits.remove(pair) != nil {
                try context.remove(object, from: \.guests, of: try hall(context))
            } else {
                try context.add(try hall(context), to: \.halls, of: object)
                contents.visits.insert(pair)
            }
        }

        private func twin(_ contents: inout Halls.Contents, _ context: ConfinedContext) throws {
            guard let other = contents.halls.sorted().first(where: { ($0 + new) % 3 == 0 }) else { return }
            let object = try context.existingObject(with: LibraryID(unchecked: other), of: Halls.Hall.self)
            let pair = JoinPair(source: min(hall, other), target: max(hall, other))
            if contents.twins.remove(pair) != nil {
                try context.remove(object, from: \.twins, of: try hall(context))
            } else {
                try context.add(object, to: \.twins, of: try hall(context))
                contents.twins.insert(pair)
            }
        }
    }
}
