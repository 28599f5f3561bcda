import StrataCore

/// A record type with hooks, which a context calls when an object is inserted, fetched, deleted or saved.
///
/// ```swift
/// extension Article: LifecycleHooks {
///     static func willSave(_ object: Managed<Article>, in context: ConfinedContext) throws {
///         object.dateChanged = .now
///     }
/// }
/// ```
///
/// A record type that conforms implements only the hooks that it needs. All hooks run on the context's queue, inside
/// the call that causes them:
///
/// 1. ``awakeFromInsert(_:in:)`` runs once, when an object is inserted. If a child context saves the new object, the
/// hook does not run again in the parent context.
/// 2. ``awakeFromFetch(_:in:)`` runs each time an object is created from a row, or its row is read again.
/// 3. ``prepareForDeletion(_:in:)`` runs when an object is deleted, by a call or by a delete rule. It runs for the
/// explicitly deleted object first, and then for the objects that cascades delete, depth first.
/// 4. ``willSave(_:in:)`` runs before validation: for new objects first, then for changed ones, then for deleted ones,
/// entity by entity in the model's order. If hooks insert, change, or delete objects meanwhile, the hook runs for these
/// objects in a further round. There are at most 1,000 rounds.
/// 5. ``didSave(_:in:)`` runs after the save, in the same order.
///
/// Reads that return records (`fetchRecords`, fetches of repositories, streams) create no objects and run no hooks.
public protocol LifecycleHooks: PersistentRecord {
    /// Runs after an object was inserted.
    ///
    /// - Throws: Any error; the object is then not inserted.
    static func awakeFromInsert(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// Runs after an object was created from a row.
    ///
    /// If the hook changes its own object, a save does not write the changes. If it changes other objects, a save
    /// writes the changes.
    ///
    /// - Throws: Any error; the fetch then fails.
    static func awakeFromFetch(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// Runs before an object is deleted, each time it is deleted. A deletion of the object inside this hook does not
    /// run the hook again.
    ///
    /// Inside the hook, ``ConfinedContext/registeredObject(for:of:)`` finds another object only if that object has
    /// changes or other code references it.
    static func prepareForDeletion(_ object: Managed<Self>, in context: ConfinedContext)

    /// Runs before a save validates and writes an object.
    ///
    /// If the hook writes to its own object, no further round of hooks is necessary. If the object is deleted, the
    /// write has no effect. A save of the context inside the hook throws an error.
    ///
    /// - Throws: Any error; the save then fails and nothing is written.
    static func willSave(_ object: Managed<Self>, in context: ConfinedContext) throws

    /// Runs after a save wrote an object; the next save writes the changes that the hook makes.
    ///
    /// The same applies to the save at the end of a transaction. Until the changes of the hook are saved or rolled
    /// back, the next transaction of the context throws ``PersistenceError/Code/pendingChanges``. A ``RecordContext``
    /// unit of work has no next save, so changes that the hook makes there are lost.
    static func didSave(_ object: Managed<Self>, in context: ConfinedContext)
}

extension LifecycleHooks {
    /// Does nothing; the default implementation.
    public static func awakeFromInsert(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Does nothing; the default implementation.
    public static func awakeFromFetch(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Does nothing; the default implementation.
    public static func prepareForDeletion(_ object: Managed<Self>, in context: ConfinedContext) {}

    /// Does nothing; the default implementation.
    public static func willSave(_ object: Managed<Self>, in context: ConfinedContext) throws {}

    /// Does nothing; the default implementation.
    public static func didSave(_ object: Managed<Self>, in context: ConfinedContext) {}
}

extension ConfinedContext: HookCaller {
    /// Calls a hook of an object, whose record type is known only at run time.
    func call(_ hook: LifecycleHook, on object: ManagedObject) throws {
        var call = HookCall(hook: hook, context: self)
        try object.typed.accept(&call)
    }
}

extension LifecycleHook {
    fileprivate func run<Record: LifecycleHooks>(on object: Managed<Record>, _ context: ConfinedContext) throws {
        switch self {
        case .awakeFromInsert: try Record.awakeFromInsert(object, in: context)
        case .awakeFromFetch: try Record.awakeFromFetch(object, in: context)
        case .prepareForDeletion: Record.prepareForDeletion(object, in: context)
        case .willSave: try Record.willSave(object, in: context)
        case .didSave: Record.didSave(object, in: context)
        }
    }
}

private struct HookCall: ObjectVisitor {
    let hook: LifecycleHook
    let context: ConfinedContext

    func visit<Record: ManagedRecord>(_ object: Managed<Record>) throws {
        if let type = Record.self as? any LifecycleHooks.Type { try call(type, object) }
    }

    private func call<Hooks: LifecycleHooks>(_ type: Hooks.Type, _ object: ManagedObject) throws {
        if let object = object as? Managed<Hooks> { try hook.run(on: object, context) }
    }
}

extension RecordTraits {
    /// Creates the traits of the record type that a model has for an entity.
    init(of entity: EntityDescription, in model: ManagedObjectModel) {
        let type = model.registeredType(of: entity.name)
        self.init(
            entity, orderedReferences: entity.orderedReferences(in: model), hasHooks: type is any LifecycleHooks.Type,
            hasRules: type is any ValidatedRecord.Type)
    }
}
