import StrataCore

/// A record type with hooks that a context calls when it works with the objects.
///
/// ```swift
/// extension Article: LifecycleHooks {
///     static func willSave(_ object: Managed<Article>, in context: ConfinedContext) throws {
///         object.dateChanged = .now
///     }
/// }
/// ```
///
/// A type opts in by conformance, and implements the hooks that it needs. All hooks run on the context's queue, inside
/// the call that causes them:
///
/// 1. ``awakeFromInsert(_:in:)`` runs once, when an object is inserted. It does not run again in the parent that
///    receives a child's new object.
/// 2. ``awakeFromFetch(_:in:)`` runs each time an object is created from a row, or its row is read again.
/// 3. ``prepareForDeletion(_:in:)`` runs when an object is deleted, and when a delete rule reaches it. It runs for the
///    deleted object first, then down the cascades, depth first.
/// 4. ``willSave(_:in:)`` runs before validation: for new objects first, then for changed ones, then for deleted ones,
///    entity by entity in the model's order. Objects that hooks insert, change, or delete meanwhile follow in a further
///    round. There are at most 1,000 rounds.
/// 5. ``didSave(_:in:)`` runs after the save, in the same order.
///
/// Reads of values (`fetchRecords`, fetches of repositories, streams) create no objects and run no hooks.
public protocol LifecycleHooks: PersistentRecord {
    /// Runs after an object was inserted.
    ///
    /// - Throws: Any error; the object is then not inserted.
    static func awakeFromInsert(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// Runs after an object was created from a row.
    ///
    /// A save does not write the changes that the hook makes to its own object. It does write the changes to other
    /// objects.
    ///
    /// - Throws: Any error; the fetch then fails.
    static func awakeFromFetch(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// Runs before an object is deleted, each time it is deleted, but not from inside this hook.
    ///
    /// ``ConfinedContext/registeredObject(for:of:)`` finds another object here only while code references it, or if it
    /// has changes.
    static func prepareForDeletion(_ object: Managed<Self>, in context: ConfinedContext)

    /// Runs before a save validates and writes an object.
    ///
    /// Writes to the hook's own object need no further round. Writes to a deleted object have no effect. The hook must
    /// not save the context; such a save throws.
    ///
    /// - Throws: Any error; the save then fails and nothing is written.
    static func willSave(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// Runs after a save wrote an object; changes by the hook wait for the next save.
    ///
    /// This also applies to the save of a transaction. Until the changes are saved or rolled back, the context's next
    /// transaction throws ``PersistenceError/Code/pendingChanges``. A unit of work over values has no next save, so
    /// changes by the hook are lost there.
    static func didSave(_ object: Managed<Self>, in context: ConfinedContext)
}

extension LifecycleHooks {
    /// Does nothing.
    public static func awakeFromInsert(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Does nothing.
    public static func awakeFromFetch(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Does nothing.
    public static func prepareForDeletion(_ object: Managed<Self>, in context: ConfinedContext) {}

    /// Does nothing.
    public static func willSave(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Does nothing.
    public static func didSave(_ object: Managed<Self>, in context: ConfinedContext) {}
}

/// A hook, for code that does not know the record type.
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
