import StrataCore
import StrataStoreKit

/// The saves of a context: delete rules and hooks, validation, the write to the parent, and the resolution of
/// conflicts.
///
/// Its state is the merge policy of the context. It is confined to the context's queue.
final class ContextSaver {
    /// The maximum number of attempts of a save; an attempt fails if another save changes the same data first.
    private static let maximumAttempts = 100
    /// The maximum number of rounds of hooks before a save; Core Data has the same maximum.
    private static let maximumHookRounds = 1000

    /// The policy for saves without a policy of their own.
    private(set) var policy: SavePolicy

    private let propagator: ChangePropagator
    private let target: SaveTarget

    init(_ propagator: ChangePropagator, target: SaveTarget, policy: SavePolicy) {
        self.propagator = propagator
        self.target = target
        self.policy = policy
    }

    private var reader: ObjectReader { propagator.reader }
    private var registry: ObjectRegistry { propagator.registry }
    private var pending: PendingChanges { propagator.pending }
    private var hooks: HookRunner { reader.hooks }
    private var events: ContextEvents { propagator.events }

    /// Replaces the policy for saves without a policy of their own.
    func use(_ policy: SavePolicy) { self.policy = policy }

    /// Saves all changes to the parent.
    ///
    /// - Parameter mergePolicy: The policy for objects that another save changed; `nil` uses the policy of the context.
    /// - Returns: The saved changes, which are empty if the context has no changes.
    /// - Throws: The errors of ``ConfinedContext/save(mergePolicy:)``.
    func save(_ mergePolicy: MergePolicy?) throws -> SavedChanges {
        guard !hooks.isSaving else {
            throw PersistenceError(
                .invalidRequest, "a save of “\(registry.name)” is running; a hook before it must not save")
        }
        do {
            try pending.throwMergeFailure()
            try pending.throwDetachedWrite()
            let saved = try saveAttempts(mergePolicy.map { SavePolicy($0) } ?? policy)
            events.send(.saved(saved))
            return saved
        } catch let error as PersistenceError {
            events.send(.saveFailed(error.code))
            throw error
        } catch let error as CancellationError {
            events.send(.saveFailed(nil))
            throw error
        } catch let error as HookFailure {
            events.send(.saveFailed(nil))
            throw error.underlying
        } catch {
            // All other errors come from code of the application, such as a rule, an initializer, or a store.
            events.send(.saveFailed(nil))
            throw error
        }
    }

    private func saveAttempts(_ policy: SavePolicy) throws -> SavedChanges {
        try reader.source.saving { try saveCurrent(policy) }
    }

    private func saveCurrent(_ policy: SavePolicy) throws -> SavedChanges {
        hooks.beginSave()
        defer { hooks.endSave() }
        var upserted: [String: [Int64: Int64]] = [:]
        var dangling: (error: PersistenceError, changes: SavedChanges)?
        for _ in 0..<Self.maximumAttempts {
            try CancellableReading.check()
            // This is repeated in every attempt: meanwhile another save may have added references to objects that are
            // deleted in this context.
            let denials = try prepare()
            let changes = try ChangeCollector(reader).collect(denials)
            var saved = SavedChanges(changes)
            saved.upserted = upserted
            guard !changes.isEmpty else {
                commit(saved)
                return saved
            }
            if let dangling, saved == dangling.changes { throw dangling.error }
            let counterparts = target.isStore ? pending.assignedCounterparts(in: changes) : []
            do {
                let found = try write(consume changes)
                if found.isEmpty {
                    if target.isStore { pending.publishCounterparts(counterparts) }
                    finish(saved, counterparts)
                    return saved
                }
                try ConflictResolver(reader).resolve(found, policy.merging)
            } catch let error as PersistenceError where error.code == .danglingReference && !saved.deleted.isEmpty {
                dangling = (error, saved)
            } catch let error as PersistenceError where error.code == .uniqueness {
                upserted.merge(try UniquenessResolver(propagator).resolve(error, policy)) { old, new in
                    old.mapValues { new[$0] ?? $0 }.merging(new) { $1 }
                }
            }
        }
        throw PersistenceError(
            .conflict,
            "other contexts changed the same objects \(Self.maximumAttempts) times in a row; save again later")
    }

    private func write(_ changes: consuming ChangeSet) throws -> [StoreConflict] {
        if !target.isStore { try propagator.requireReconciledCounterparts() }
        return try target.write(changes)
    }

    /// Finishes a successful save: marks the changes as saved and notifies other contexts.
    private func finish(_ saved: SavedChanges, _ counterparts: [CounterpartKey]) {
        let hooked = hookedObjects()
        pending.noteSuccessors(saved.upserted)
        commit(saved)
        hooks.endSave()
        let change = StoreChange(saved, origin: .context(registry.name))
        target.publish(change)
        // The counterparts are noted again: a context that merged between the save and its notice does not know them
        // yet.
        if target.isStore { pending.publishCounterparts(counterparts) }
        target.publishToChildren(change)
        hooks.runDidSave(on: hooked)
    }

    private func commit(_ saved: SavedChanges) {
        pending.commit()
        reader.readAhead.clear()
        for identityMap in registry.all {
            // An update raises the version of a row by one; a parent's object keeps its version until it is saved.
            let raised = target.isStore ? saved.updated[identityMap.entity.name] : nil
            identityMap.commit(raised: raised ?? [])
        }
    }

    // MARK: Hooks

    /// Applies the delete rules and runs the hooks before a save, repeatedly until neither makes further changes.
    ///
    /// - Returns: The failures of objects whose deletion is denied, and of objects that must not lose their reference.
    private func prepare() throws -> [ValidationFailure] {
        for _ in 0..<Self.maximumHookRounds {
            let denials = try propagator.processAllChanges()
            let waiting = hookedObjects().filter(hooks.isWaiting)
            if waiting.isEmpty { return denials }
            for object in waiting where object.state != .detached { try hooks.runWillSave(on: object) }
        }
        let names = Set(hookedObjects().map(\.entityName)).sorted().joined(separator: ", ")
        throw PersistenceError(
            .invalidRequest,
            "the hooks before the save (\(names)) changed each other's objects \(Self.maximumHookRounds) times; "
                + "a hook must stop writing at some time: write only values that differ")
    }

    /// Returns the objects of the save whose record types have hooks: new, changed, and deleted objects, entity by
    /// entity.
    private func hookedObjects() -> [ManagedObject] {
        let hooked = registry.ordered.filter(\.traits.hasHooks)
        return hooked.flatMap(\.inserted) + hooked.flatMap { $0.updated.filter(\.hasChanges) }
            + hooked.flatMap(\.deletedInOrder)
    }
}

/// The parent of a context, to which it saves, and the other contexts, which are notified of its saves.
///
/// The target is immutable. It is confined to the context's queue.
struct SaveTarget {
    /// The parent of a context.
    enum Parent {
        /// The store: the context is a root context, and its saves write to the store.
        case store(PersistentStoreCoordinator)
        /// Another context: the saves of the child become unsaved changes of this parent.
        ///
        /// Parent and child work on one queue, so that neither waits for the other.
        case context(ChildSaveReceiver)
    }

    /// The registry of the saving context.
    let registry: ObjectRegistry
    let parent: Parent
    /// The object that identifies the context as the sender of its saves, or `nil` for the separate context of a unit
    /// of work.
    let sender: PendingMerge?
    /// The child contexts of the saving context.
    let children: SaveSubscribers

    /// A Boolean value that indicates whether saves write to the store.
    var isStore: Bool {
        if case .store = parent { true } else { false }
    }

    /// Passes changes to the parent context or the store.
    ///
    /// - Returns: The conflicts with rows or objects that the saving context did not read.
    func write(_ changes: consuming ChangeSet) throws -> [StoreConflict] {
        switch parent {
        case .context(let receiver): return try receiver.take(changes, from: registry)
        case .store(let coordinator):
            let handed = changes
            return try describingLockWait { try coordinator.save(handed, from: registry.name) }
        }
    }

    /// Adds the name of the context and the duration of its wait to an error with code
    /// ``PersistenceError/Code/locked``.
    private func describingLockWait<Result>(_ body: () throws -> Result) throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        do {
            return try body()
        } catch var error as PersistenceError where error.code == .locked {
            let waited = start.duration(to: clock.now)
            let hundredths = waited.components.seconds * 100 + waited.components.attoseconds / 10_000_000_000_000_000
            let fraction = hundredths % 100
            error.message =
                "the context “\(registry.name)” waited \(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) "
                + "seconds to save: " + error.message
            throw error
        }
    }

    /// Notifies the contexts with the same parent of a save.
    func publish(_ change: StoreChange) {
        switch parent {
        case .context(let receiver): receiver.children.announce(MergeNotice(change), from: sender)
        case .store(let coordinator): coordinator.publish(change, from: sender)
        }
    }

    /// Notifies the child contexts of a save: hooks and policies may have changed values that they have read.
    func publishToChildren(_ change: StoreChange) {
        children.announce(MergeNotice(change, toChildren: true), from: nil)
    }
}
