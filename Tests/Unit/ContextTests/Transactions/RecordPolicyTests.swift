import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The merge policies of a unit of work over values, if another writer saves between its reading and its save.
@Suite("Merge policies of units of work over values")
struct RecordPolicyTests {
    /// A team that another writer changes or deletes during a unit of work.
    private struct Scene {
        let stack: TestStack
        let id: TeamID
        /// The main context; only this context may wait for another context in its closure.
        let context: ManagedObjectContext
        var records: any RecordContext { context }

        init(_ kind: StoreKind) throws {
            stack = try kind.league()
            id = try stack.team("Base", motto: "base", points: 1).id
            context = stack.container.mainContext
        }

        func theirChange() throws {
            try stack.container.newBackgroundContext(name: "theirs").performTransactionAndWait { context in
                let team = try context.existingObject(with: id, of: Team.self)
                (team.name, team.points) = ("Theirs", 2)
            }
        }

        func theirDeletion() throws {
            _ = try stack.container.newBackgroundContext(name: "theirs").performTransactionAndWait { context in
                try context.delete(id, of: Team.self)
            }
        }

        /// Reads the team, lets the other writer save, and writes.
        func write(_ unit: any RecordTransaction, after rival: () throws -> Void) throws {
            try unit.update(Team.self, id: id) { team in
                try rival()
                (team.name, team.motto) = ("Mine", "mine")
            }
        }

        /// Returns the error that a unit of work throws.
        func error(
            _ policy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Void
        ) async throws -> PersistenceError {
            let error = await #expect(throws: PersistenceError.self) {
                try await records.transaction(mergePolicy: policy, body)
            }
            return try #require(error)
        }
    }

    // mine          | theirs        | store
    // --------------|---------------|----------------------
    // reads         |               | Base, base, 1
    //               | Theirs, 2     | Theirs, base, 2
    // Mine, mine    |               |
    // ends          |               | as the policy says
    @Test(
        "a unit of work without its own merge policy throws for a conflict, whatever the context's policy",
        arguments: StoreKind.allCases)
    func withoutPolicy(_ kind: StoreKind) async throws {
        let scene = try Scene(kind)
        await scene.context.perform { $0.mergePolicy = .overwrite }
        let error = try await scene.error(nil) { unit in
            _ = try unit.insert(Team.self) { Team(id: $0, name: "Other") }
            try scene.write(unit, after: scene.theirChange)
        }
        let conflict = try #require(error.conflicts.first)
        #expect(error.code == .conflict && conflict.attributesInConflict == ["name"])
        #expect(conflict.base == [.string("Base"), .string("base"), .integer(1)])
        #expect(conflict.mine == [.string("Mine"), .string("mine"), .integer(1)])
        #expect(conflict.stored == [.string("Theirs"), .string("base"), .integer(2)])
        #expect(try scene.stack.stored() == [Team(id: scene.id, name: "Theirs", motto: "base", points: 2)])
    }

    @Test(
        "each merge policy saves the expected values of a team that two writers changed",
        arguments: StoreKind.allCases,
        MergePolicyTests.changedOnBothSides)
    func bothChanged(
        _ kind: StoreKind, _ wanted: (policy: MergePolicy, name: String?, motto: String?, points: Int)
    ) async throws {
        let scene = try Scene(kind)
        var expected = Team(id: scene.id, name: "Theirs", motto: "base", points: 2)
        if let name = wanted.name {
            expected = Team(id: scene.id, name: name, motto: wanted.motto, points: wanted.points)
            try await scene.records.transaction(mergePolicy: wanted.policy) { unit in
                try scene.write(unit, after: scene.theirChange)
            }
        } else {
            let error = try await scene.error(wanted.policy) { try scene.write($0, after: scene.theirChange) }
            #expect(error.code == .conflict)
        }
        #expect(try scene.stack.stored() == [expected])
        #expect(await scene.context.perform { $0.mergePolicy } == .error, "the context's own is what it was")
    }

    static let policies: [(policy: MergePolicy?, mine: Bool?)] =
        [(nil, nil)] + MergePolicyTests.policies.map { ($0.0, $0.mine) }

    @Test(
        "the merge policy decides whether a changed team that another writer deleted is inserted again",
        arguments: StoreKind.allCases, policies)
    func deletedThere(_ kind: StoreKind, _ wanted: (policy: MergePolicy?, mine: Bool?)) async throws {
        let scene = try Scene(kind)
        if wanted.mine == nil {
            let error = try await scene.error(wanted.policy) { try scene.write($0, after: scene.theirDeletion) }
            #expect(error.code == .conflict && error.conflicts.map(\.stored) == [nil])
        } else {
            try await scene.records.transaction(mergePolicy: wanted.policy) { unit in
                try scene.write(unit, after: scene.theirDeletion)
            }
        }
        let whole = Team(id: scene.id, name: "Mine", motto: "mine", points: 1)
        #expect(try scene.stack.stored() == (wanted.mine == true ? [whole] : []))
    }

    @Test(
        "the merge policy decides whether a team is deleted although another writer changed it",
        arguments: StoreKind.allCases, policies)
    func deletedHere(_ kind: StoreKind, _ wanted: (policy: MergePolicy?, mine: Bool?)) async throws {
        let scene = try Scene(kind)
        @Sendable func delete(_ unit: any RecordTransaction) throws {
            #expect(try unit.delete(Team.self, id: scene.id))
            try scene.theirChange()
        }
        if wanted.mine == nil {
            let error = try await scene.error(wanted.policy, delete)
            #expect(error.code == .conflict && error.conflicts.map(\.mine) == [nil])
        } else {
            try await scene.records.transaction(mergePolicy: wanted.policy, delete)
        }
        let theirs = Team(id: scene.id, name: "Theirs", motto: "base", points: 2)
        #expect(try scene.stack.stored() == (wanted.mine == true ? [] : [theirs]))
    }

    @Test(
        "the merge policy decides about a new record whose unique value another writer saved meanwhile",
        arguments: StoreKind.allCases, policies)
    func takenMeanwhile(_ kind: StoreKind, _ wanted: (policy: MergePolicy?, mine: Bool?)) async throws {
        let stack = try kind.league()
        // Only the main context may wait for another context in its closure.
        let records: any RecordContext = stack.container.mainContext
        @Sendable func add(_ unit: any RecordTransaction) throws {
            #expect(try unit.count(FetchRequest<Player>(where: #Predicate { $0.number == 7 })) == 0)
            try stack.player("Ann", number: 7)
            _ = try unit.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
        }
        if wanted.mine == nil {
            let error = await #expect(throws: PersistenceError.self) {
                try await records.transaction(mergePolicy: wanted.policy, add)
            }
            #expect(error?.code == .uniqueness && error?.attribute == "number")
        } else {
            try await records.transaction(mergePolicy: wanted.policy, add)
        }
        #expect(try stack.stored(Player.self).map(\.name) == [wanted.mine == true ? "Bob" : "Ann"])
    }

    @Test("a custom merge policy receives the base, own and stored values as records", arguments: StoreKind.allCases)
    func custom(_ kind: StoreKind) async throws {
        let scene = try Scene(kind)
        let adding = MergePolicy.custom("adding") { conflict in
            let (base, mine, stored) = try conflict.records(of: Team.self)
            guard let base, var mine, let stored else { return .fail }
            mine.points += stored.points - base.points
            return try .record(mine)
        }
        try await scene.records.transaction(mergePolicy: adding) { unit in
            _ = try unit.update(Team.self, id: scene.id) { team in
                try scene.theirChange()
                team.points += 10
            }
        }
        #expect(try scene.stack.stored() == [Team(id: scene.id, name: "Base", motto: "base", points: 12)])
    }

    // mine          | theirs        | store
    // --------------|---------------|----------------------
    // reads         |               | Base, base, 1
    //               | Theirs, 2     | Theirs, base, 2
    // Mine, mine    |               |
    // ends          |               | as the policy says; where it fails:
    // reads again   |               |
    // Mine, mine    |               |
    // ends          |               | Mine, mine, 2
    @Test(
        "a retried transaction uses its own merge policy in each attempt",
        arguments: StoreKind.allCases, MergePolicyTests.changedOnBothSides)
    func retried(
        _ kind: StoreKind, _ wanted: (policy: MergePolicy, name: String?, motto: String?, points: Int)
    ) async throws {
        let scene = try Scene(kind)
        let clock = RetryTests.TestClock()
        let attempts = Guarded(0)
        try await scene.records.transaction(retrying: 2, mergePolicy: wanted.policy, clock: clock) { unit in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            try scene.write(unit) { if attempt == 1 { try scene.theirChange() } }
        }
        let isResolved = wanted.name != nil
        #expect(attempts.withLock { $0 } == (isResolved ? 1 : 2))
        #expect(clock.waits.withLock { $0.count } == (isResolved ? 0 : 1))
        let resolved = Team(id: scene.id, name: wanted.name ?? "", motto: wanted.motto, points: wanted.points)
        let again = Team(id: scene.id, name: "Mine", motto: "mine", points: 2)
        #expect(try scene.stack.stored() == [isResolved ? resolved : again])
    }
}
