import StrataCore

/// A record type whose objects take part in what a context does with them.
///
/// ```swift
/// extension Article: LifecycleHooks {
///     static func willSave(_ object: Managed<Article>, in context: ConfinedContext) throws {
///         object.dateChanged = .now
///     }
/// }
/// ```
///
/// A type opts in by conforming, and writes those it wants. All run on the context's queue, inside the call that causes them:
///
/// 1. ``awakeFromInsert(_:in:)``, once, when an object is inserted; not again in the parent that takes a child's new object.
/// 2. ``awakeFromFetch(_:in:)``, each time an object is made of a row, or its row is read again.
/// 3. ``prepareForDeletion(_:in:)``, when an object is deleted, and when the delete rules reach it: the deleted object first, then down the
///    cascades, depth first.
/// 4. ``willSave(_:in:)``, before validation: new objects first, then changed ones, then deleted ones, entity by entity in the model's order.
///    What hooks insert, change or delete meanwhile has its turn in a further round, of which there are at most 1,000.
/// 5. ``didSave(_:in:)``, after the save, in the same order.
///
/// Reading values (`fetchRecords`, repositories' fetches, streams) makes no objects and runs no hook.
public protocol LifecycleHooks: PersistentRecord {
    /// After an object was inserted.
    ///
    /// - Throws: Anything; the object is then not inserted.
    static func awakeFromInsert(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// After an object was made of a row.
    ///
    /// What it writes to the object is no change that a save would write; what it writes to another one is.
    ///
    /// - Throws: Anything; the fetch then fails.
    static func awakeFromFetch(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// Before an object is deleted; again each time it is, but not from inside this hook.
    ///
    /// ``ConfinedContext/registeredObject(for:of:)`` finds other objects here only as long as somebody holds them or they have changes.
    static func prepareForDeletion(_ object: Managed<Self>, in context: ConfinedContext)

    /// Before a save writes an object, and before it is validated.
    ///
    /// What it writes to its own object needs no further round, and to one that is deleted means nothing. It must not save the context: that throws.
    ///
    /// - Throws: Anything; the save then fails and nothing is written.
    static func willSave(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// After a save wrote an object; what it changes waits for the next save.
    ///
    /// After a transaction's save, too: until somebody saves it, or rolls it back, the context's next transaction throws
    /// ``PersistenceError/Code/pendingChanges``. A unit of work over values has no next save, and what it changes there is gone.
    static func didSave(_ object: Managed<Self>, in context: ConfinedContext)
}

extension LifecycleHooks {
    /// Nothing.
    public static func awakeFromInsert(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Nothing.
    public static func awakeFromFetch(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Nothing.
    public static func prepareForDeletion(_ object: Managed<Self>, in context: ConfinedContext) {}

    /// Nothing.
    public static func willSave(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Nothing.
    public static func didSave(_ object: Managed<Self>, in context: ConfinedContext) {}
}

/// Which hook is meant, where the record type is not known.
enum LifecycleHook {
    case awakeFromInsert, awakeFromFetch, prepareForDeletion, willSave, didSave

    func run<Record: LifecycleHooks>(on object: Managed<Record>, _ context: ConfinedContext) throws {
        switch self {
        case .awakeFromInsert: try Record.awakeFromInsert(object, in: context)
        case .awakeFromFetch: try Record.awakeFromFetch(object, in: context)
        case .prepareForDeletion: Record.prepareForDeletion(object, in: context)
        case .willSave: try Record.willSave(object, in: context)
        case .didSave: Record.didSave(object, in: context)
        }
    }
}
