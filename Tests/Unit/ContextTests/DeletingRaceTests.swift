import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Other writers commit between the reading of a deletion's related objects and the store's transaction.
@Suite("Deletions while other writers commit")
struct DeletingRaceTests {
    private static func insert(_ entity: String, _ id: Int64, _ values: [StoredValue], _ store: any PersistentStore)
        throws
    {
        var changes = ChangeSet()
        changes[entity].insertions = [.init(id: id, values: values)]
        _ = try store.save(changes)
    }

    @Test(
        "the nullify rule clears the reference of a row that another writer adds during the deletion",
        arguments: StoreKind.allCases)
    func nullify(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(Crew.model())
        try stack.background.performAndWait { context in
            let crew = try context.insert(Crew.self) { Crew(id: $0, name: "Night") }
            try context.save()
            let id = crew.rawID
            store.beforeSave.withLock { hook in
                hook = { base, number in
                    guard number < 3 else { return }
                    try Self.insert(
                        "Shift", 50 + Int64(number), [.integer(1), .integer(2), .null, .integer(id)], base)
                }
            }
            context.delete(crew)
            try context.save()
        }
        #expect(try stack.stored(Crew.self).isEmpty)
        #expect(try stack.stored(Shift.self).map(\.crew) == [nil, nil, nil])
    }

    @Test(
        "the cascade and deny rules apply to a row that another writer adds during the deletion",
        arguments: StoreKind.allCases)
    func cascadeAndDeny(_ kind: StoreKind) throws {
        for (entity, isDenied) in [("Trophy", false), ("Coach", true)] {
            let (stack, store) = try kind.hooked(League.model())
            let team = try stack.team("Reds")
            store.beforeSave.withLock { hook in
                hook = { base, number in
                    guard number == 0 else { return }
                    try Self.insert(entity, 7, [.string("X"), .integer(team.id.rawValue)], base)
                }
            }
            try stack.background.performAndWait { context in
                try context.delete(team)
                guard isDenied else {
                    try context.save()
                    return
                }
                let error = try persistenceError { try context.save() }
                #expect(
                    "\(error)" == """
                        a rule of the model is broken:
                          Team 1, coaches: other objects refer to this object, and the relationship denies its deletion
                        """)
            }
            #expect(try stack.stored(Team.self).count == (isDenied ? 1 : 0))
            #expect(try stack.stored(Trophy.self).isEmpty)
        }
    }

    @Test(
        "a save reports a dependent row that the initializer rejects together with its other failures",
        arguments: StoreKind.allCases)
    func invalidDependent(_ kind: StoreKind) throws {
        let stack = try kind.stack(Crew.model())
        try stack.background.performAndWait { context in
            let crew = try context.insert(Crew.self) { Crew(id: $0, name: "Night") }
            let shift = try context.insert(Shift.self) { try Shift(id: $0, start: 1, end: 2, crew: crew.id) }
            let other = try context.insert(Shift.self) { try Shift(id: $0, start: 1, end: 2) }
            try context.save()
            shift.start = 8
            other.note = "long"
            context.delete(crew)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .validation)
            #expect(
                "\(error)" == """
                    2 rules of the model are broken:
                      Shift 1: Shift rejects the value
                      Shift 2, note: is longer than 3
                    """)
            #expect(error.failures.first?.reason == "a shift ends after it begins")
            shift.end = 9
            other.note = nil
            try context.save()
        }
        #expect(try stack.stored(Shift.self).map(\.start) == [8, 1])
        #expect(try stack.stored(Shift.self).map(\.crew) == [nil, nil])
    }
}
