import StrataCore

/// The calls of hooks and validation rules for objects whose record type is known only at run time.
extension ConfinedContext {
    /// Runs the hook of a fetched object; a write of the hook to the object does not count as a change.
    func awaken(_ object: ManagedObject) throws {
        let outer = hooks.beginAwakening(object)
        defer { hooks.endAwakening(outer) }
        try call(.awakeFromFetch, on: object)
    }

    /// Runs a hook of an object, which may write to the object even if the object is deleted.
    func run(_ hook: LifecycleHook, on object: ManagedObject) throws {
        let outer = hooks.beginHook(on: object)
        defer { hooks.endHook(outer) }
        try call(hook, on: object)
    }

    /// Calls a hook of a new object; writes of the hook to the object count as changes.
    func call(_ hook: LifecycleHook, on object: ManagedObject) throws {
        var call = HookCall(hook: hook, context: self)
        try object.typed.accept(&call)
    }

    /// Returns the failures that ``ValidatedRecord`` methods of the record type report for an object.
    func brokenRules(of object: ManagedObject, _ operation: SaveOperation) throws -> [ValidationFailure] {
        var check = RuleCheck(operation: operation)
        try object.typed.accept(&check)
        return check.failures
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

private struct RuleCheck: ObjectVisitor {
    let operation: SaveOperation
    private(set) var failures: [ValidationFailure] = []

    init(operation: SaveOperation) {
        self.operation = operation
    }

    mutating func visit<Record: ManagedRecord>(_ object: Managed<Record>) {
        if let type = Record.self as? any ValidatedRecord.Type { check(type, object) }
    }

    private mutating func check<Rules: ValidatedRecord>(_ type: Rules.Type, _ object: ManagedObject) {
        guard let object = object as? Managed<Rules> else { return }
        var validation = RecordValidation<Rules>(object.record, committed: object.committedRecord, operation)
        if operation == .delete {
            object.record.validateForDelete(&validation)
        } else {
            object.record.validate(&validation)
        }
        failures += validation.failures
    }
}
