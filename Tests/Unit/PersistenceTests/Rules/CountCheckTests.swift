import PersistenceTestSupport
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Checks of bounds on related objects")
struct CountCheckTests {
    @Test(
        "a check with an incomplete set of owners validates all owners", arguments: StoreKind.allCases)
    func allCounts(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Halls.model())
        let store = stack.container.coordinator.store
        var changes = Halls.filled.changes
        for id in Int64(8)...9 { changes["Hall"].insertions.append(.init(id: id, values: [.string("")])) }
        _ = try store.save(changes)
        var owners = CountedOwners(store.model)
        let doors = try #require(owners.key("doors", of: "Hall"))
        owners.note((1...16_385).map { $0 * 4096 }, doors)
        #expect(owners.rules.map(\.ids.isComplete) == [false])
        let failures = try CountCheck(store).failures(owners)
        #expect(
            failures.map(\.debugDescription) == [
                "Hall 8, doors: 0 is below the minimum count of 1", "Hall 9, doors: 0 is below the minimum count of 1",
            ])
        #expect(try CountCheck(store, before: store).failures(owners).isEmpty)
    }

    @Test(
        "a check reports at most a hundred failures and skips owners that were invalid before",
        arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        let stacks = try [150, 300 as Int64].map { count in
            let stack = try kind.stack(try Halls.model())
            var changes = ChangeSet()
            changes["Hall"].insertions = (1...count).map { .init(id: $0, values: [.string("")]) }
            _ = try stack.container.coordinator.store.save(changes)
            return stack
        }
        let (before, now) = (stacks[0].container.coordinator.store, stacks[1].container.coordinator.store)
        var owners = CountedOwners(now.model)
        owners.note(1...300, try #require(owners.key("doors", of: "Hall")))
        #expect(try CountCheck(now).failures(owners).map(\.id) == Array(1...100))
        #expect(try CountCheck(now, before: before).failures(owners).map(\.id) == Array(151...250))
    }
}
