import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Two contexts that assign two passports to one person.
@Suite("Conflicts about one counterpart")
struct CounterpartConflictTests {
    // mine                       | theirs                     | store
    // ---------------------------|----------------------------|--------------------
    //                            |                            | Ada, passports 1, 2
    // passport 1: holder Ada     |                            |
    //                            | passport 2: holder Ada     | 2 holds Ada
    // saves                      |                            | as the policy says
    static let policies: [(MergePolicy, mine: Bool?)] = [
        (.error, nil), (.mergeByPropertyStoreTrump, false), (.rollback, false), (.mergeByPropertyObjectTrump, true),
        (.overwrite, true),
    ]

    @Test(
        "the merge policy decides which of two objects keeps a counterpart, and neither object is upserted",
        arguments: StoreKind.allCases, policies)
    func partner(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        for (isNew, isPastContexts) in [(false, false), (true, false), (false, true), (true, true)] {
            let stack = try kind.stack(try Company.model())
            try stack.background.performAndWait { context in
                try context.insert(Company.Person(id: 1, name: "Ada"))
                for id in [1, 2] as [LibraryID] where !isNew || id == 2 {
                    try context.insert(Company.Passport(id: id, number: "P\(id.rawValue)", holder: nil))
                }
                try context.save()
            }
            // A background context's closure may not wait for another context.
            try stack.container.mainContext.performAndWait { context in
                context.mergePolicy = wanted.policy
                if isNew {
                    try context.insert(Company.Passport(id: 1, number: "P1", holder: 1))
                } else {
                    try context.existingObject(with: 1, of: Company.Passport.self).holder = 1
                }
                if isPastContexts {
                    // The change is processed before the other save, so that only the store finds the conflict, as with
                    // another process.
                    try context.processPendingChanges()
                    try stack.theirs(2)
                } else {
                    try stack.background.performAndWait { context in
                        try context.existingObject(with: 2, of: Company.Passport.self).holder = 1
                        try context.save()
                    }
                }
                let passport = try context.existingObject(with: 1, of: Company.Passport.self)
                if wanted.mine == nil {
                    let error = try persistenceError { try context.save() }
                    #expect(error.code == .uniqueness && error.conflicts.first?.constraint == "holder")
                    #expect(error.conflicts.first?.owner == 2 && passport.holder == 1)
                } else {
                    #expect(try context.save().upserted.isEmpty)
                }
            }
            let holders = try stack.stored(Company.Passport.self).map { $0.holder?.rawValue }
            let mineHolds: [Int64?] = [1, nil]
            let theirsHolds: [Int64?] = isNew && wanted.mine == nil ? [1] : [nil, 1]
            #expect(
                holders == (wanted.mine == true ? mineHolds : theirsHolds),
                "\(wanted.policy), \(isNew), \(isPastContexts)")
        }
    }
}

extension TestStack {
    /// Assigns Ada to a passport, bypassing every context.
    fileprivate func theirs(_ id: Int64) throws {
        let store = container.coordinator.store
        guard var row = try store.rows(StoreRequest("Passport")).first(where: { $0.id == id }),
            let column = try store.model.entity(named: "Passport").columnIndex("holder")
        else { return }
        row.values[column] = .integer(1)
        var changes = ChangeSet()
        changes["Passport"].updates = [
            .init(id: id, expectedVersion: row.version, values: row.values, changedColumns: [column])
        ]
        _ = try store.save(changes)
    }
}
