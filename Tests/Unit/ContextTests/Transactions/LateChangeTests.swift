import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Changes by the hook that follows the save of a transaction, which are too late for that save.
@Suite("Changes by the hook after a transaction's save")
struct LateChangeTests {
    /// A record that is stamped after its first save.
    struct Letter: PersistentRecord, LifecycleHooks, Hashable {
        let id: LibraryID
        var text: String
        var stamps = 0

        static let entity = RecordEntity<Letter>(
            "Letter", id: \.id, [.attribute("text", \.text), .attribute("stamps", \.stamps)]
        ) { row in Letter(id: try row.id(), text: try row.next(), stamps: try row.next()) }

        static func didSave(_ object: Managed<Letter>, in context: ConfinedContext) {
            if object.stamps == 0 { object.stamps = 1 }
        }
    }

    private func stack(_ kind: StoreKind) throws -> TestStack {
        try kind.stack(try ManagedObjectModel(records: [Letter.self]))
    }

    @Test(
        "changes by a hook after the save stay pending, and a transaction throws until they are saved",
        arguments: StoreKind.allCases,
        [true, false]
    )
    func waiting(_ kind: StoreKind, isSaved: Bool) async throws {
        let stack = try stack(kind)
        let id = try await stack.background.performTransaction { context in
            try context.insert(Letter.self) { Letter(id: $0, text: "a") }.id
        }
        #expect(try stack.stored() == [Letter(id: id, text: "a")])
        let error = await #expect(throws: PersistenceError.self) {
            try await stack.background.performTransaction { _ in Issue.record("the block ran") }
        }
        #expect(error?.code == .pendingChanges)
        try await stack.background.perform { context in
            let letter = try context.existingObject(with: id, of: Letter.self)
            #expect(letter.changedValues() == ["stamps": .integer(1)])
            if isSaved {
                #expect(try context.save().updated == ["Letter": [id.rawValue]])
            } else {
                context.rollback()
                #expect(letter.stamps == 0)
            }
            #expect(!context.hasChanges)
        }
        #expect(try stack.stored() == [Letter(id: id, text: "a", stamps: isSaved ? 1 : 0)])
        // The object can be changed again, stamped or not.
        try await stack.background.performTransaction { try $0.existingObject(with: id, of: Letter.self).text = "b" }
        #expect(try stack.stored() == [Letter(id: id, text: "b", stamps: isSaved ? 1 : 0)])
        #expect(await stack.background.perform { $0.hasChanges } == !isSaved)
    }

    @Test("changes by a hook after the save do not cause a retry of the transaction", arguments: StoreKind.allCases)
    func retried(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        let clock = RetryTests.TestClock()
        let attempts = Guarded(0)
        try await stack.background.performTransaction(retrying: 3, clock: clock) { context in
            attempts.withLock { $0 += 1 }
            _ = try context.insert(Letter.self) { Letter(id: $0, text: "a") }
        }
        #expect(attempts.withLock { $0 } == 1 && clock.waits.withLock { $0 }.isEmpty)
        #expect(try stack.stored(Letter.self).map(\.stamps) == [0])
        #expect(await stack.background.perform { $0.hasChanges })
    }

    @Test("changes by a hook after the save of a unit of work over values are discarded", arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        let records: any RecordContext = stack.background
        let letter = try await records.transaction(mergePolicy: nil) { unit in
            try unit.insert(Letter.self) { Letter(id: $0, text: "a") }
        }
        #expect(try stack.stored() == [letter])
        #expect(!(await stack.background.perform { $0.hasChanges }))
        try await records.transaction(mergePolicy: nil) { unit in
            _ = try unit.update(Letter.self, id: letter.id) { $0.text = "b" }
        }
        #expect(try stack.stored() == [Letter(id: letter.id, text: "b")])
    }
}
