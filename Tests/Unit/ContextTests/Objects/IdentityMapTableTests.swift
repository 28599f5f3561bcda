import PersistenceTestSupport
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite

/// The identity table compared with a dictionary.
@Suite("Identity table")
struct IdentityMapTableTests {
    /// The distribution of a run's identifiers, favorable or unfavorable for the table.
    enum Spread: CaseIterable {
        case consecutive, everyThirtySecond, everyThousand, anywhere

        func id(_ number: Int64) -> Int64 {
            switch self {
            case .consecutive: number
            case .everyThirtySecond: number * 32
            case .everyThousand: number * 1000
            case .anywhere: Int64(bitPattern: UInt64(bitPattern: number) &* 0xBF58_476D_1CE4_E5B9)
            }
        }
    }

    @Test(
        "random operations have the same results in the identity table and in a dictionary", arguments: Spread.allCases)
    func randomOperations(_ spread: Spread) {
        var random = SeededGenerator(seed: 7)
        let ownership = ObjectOwnership(Team.entity.description)
        let table = IdentityMapTable()
        // Objects in the dictionary are retained by the test; objects only in the set are retained by the table alone.
        var held: [Int64: ManagedObject] = [:]
        var entered: Set<Int64> = []
        for step in 0..<1500 {
            let id = spread.id(Int64.random(in: 0..<400, using: &random))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45:
                let object = ManagedObject(rawID: id, state: .unchanged, version: 1, ownership: ownership)
                var place: IdentityMapTable.Place?
                if Bool.random(using: &random) {
                    #expect(table.objectInUse(id, orPlace: &place) === held[id])
                    // Removals before the insertion may leave the reserved slot in a position that no search reaches.
                    for other in (id - 3)...(id + 3) where other != id && Bool.random(using: &random) {
                        guard let neighbour = held[other] else { continue }
                        table.remove(neighbour)
                        entered.remove(other)
                        held[other] = nil
                    }
                }
                held[id] = object
                entered.insert(id)
                table.insert(object, at: place)
            case 45..<60:
                if let object = held[id] {
                    table.remove(object)
                    entered.remove(id)
                    held[id] = nil
                }
            case 60..<75: held[id] = nil
            case 75..<98:
                #expect(table.objectInUse(id) === held[id])
                if held[id] == nil { entered.remove(id) }
            case 98:
                table.removeUnused()
                entered = Set(held.keys)
            default:
                guard step.isMultiple(of: 7) else { break }
                #expect(table.removeAll().count == entered.count)
                entered = []
                held = [:]
            }
            // This examines the whole table.
            if Seeds.areAll || step < 200 || step.isMultiple(of: 8) { table.checkInvariants() }
            #expect(table.count == entered.count)
            #expect((table[id] != nil) == entered.contains(id))
        }
        table.removeUnused()
        #expect(Set(table.objects.map(\.rawID)) == Set(held.keys))
    }

    @Test("an identity table reduces its capacity after most objects are removed")
    func shrinking() {
        let ownership = ObjectOwnership(Team.entity.description)
        let table = IdentityMapTable()
        for id in 1...10_000 as ClosedRange<Int64> {
            table.insert(ManagedObject(rawID: id, state: .unchanged, version: 1, ownership: ownership))
        }
        table.checkInvariants()
        let held = (1...10).compactMap { table[$0 * 1000] }
        table.removeUnused()
        table.checkInvariants()
        #expect(table.count == held.count && table.capacity == 64)
        #expect(held.allSatisfy { table[$0.rawID] === $0 })
    }

    @Test("an identity table without objects has the capacity of a new table")
    func emptied() {
        let ownership = ObjectOwnership(Team.entity.description)
        let table = IdentityMapTable()
        for id in 1...10_000 as ClosedRange<Int64> {
            table.insert(ManagedObject(rawID: id, state: .unchanged, version: 1, ownership: ownership))
        }
        table.removeUnused()
        table.checkInvariants()
        #expect(table.count == 0 && table.capacity == IdentityMapTable().capacity)
    }

    @Test(
        "an empty identity table is filled with all objects of a read at once", arguments: Spread.allCases,
        [0, 1, 32, 33, 1000])
    func filling(_ spread: Spread, _ count: Int64) {
        let ownership = ObjectOwnership(Team.entity.description)
        let objects = (0..<count).map {
            ManagedObject(rawID: spread.id($0 + 1), state: .unchanged, version: 1, ownership: ownership)
        }
        let table = IdentityMapTable()
        #expect(table.fill(with: objects))
        table.checkInvariants()
        #expect(table.count == objects.count)
        for object in objects { #expect(table.objectInUse(object.rawID) === object) }
        if let first = objects.first { table.remove(first) }
        table.checkInvariants()
        #expect(table.count == max(0, objects.count - 1))
    }

    @Test("filling the identity table with two objects of one identifier fails and leaves it empty")
    func fillingTwice() {
        let ownership = ObjectOwnership(Team.entity.description)
        let objects = [1, 2, 3, 2].map {
            ManagedObject(rawID: $0, state: .unchanged, version: 1, ownership: ownership)
        }
        let table = IdentityMapTable()
        #expect(!table.fill(with: objects))
        table.checkInvariants()
        #expect(table.isEmpty)
    }

    @Test("removing a replaced object keeps the object with the same identifier that replaced it")
    func replaced() {
        let ownership = ObjectOwnership(Team.entity.description)
        let (first, second) = (
            ManagedObject(rawID: 1, state: .unchanged, version: 1, ownership: ownership),
            ManagedObject(rawID: 1, state: .unchanged, version: 1, ownership: ownership)
        )
        let table = IdentityMapTable()
        table.insert(first)
        table.insert(second)
        table.remove(first)
        #expect(table[1] === second && table.count == 1)
        table.checkInvariants()
    }

    @Test("a deinitializer may use the identity table while the table releases objects")
    func reentrance() {
        final class Visitor: ManagedObject {
            var leave: () -> Void = {}

            deinit { leave() }
        }
        let ownership = ObjectOwnership(Team.entity.description)
        let table = IdentityMapTable()
        var newest: [ManagedObject] = []
        for id in 1...200 as ClosedRange<Int64> {
            let visitor = Visitor(rawID: id, state: .unchanged, version: 1, ownership: ownership)
            visitor.leave = { [unowned table] in
                table.checkInvariants()
                #expect(table[id] == nil)
                let object = ManagedObject(rawID: id + 1000, state: .unchanged, version: 1, ownership: ownership)
                newest.append(object)
                table.insert(object)
            }
            table.insert(visitor)
        }
        while table.count != newest.count { table.removeUnused() }
        table.checkInvariants()
        #expect(newest.count == 200 && table.objects.count == 200)
    }
}
