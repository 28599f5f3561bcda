import StrataCore

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
            return try describingLockWait { try coordinator.save(handed) }
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
