import StrataCore

/// The parent of a context, from which it reads and to which it saves: the store, or another context.
enum ContextParent {
    /// The store: the context is a root context, and its saves write to the store.
    case store
    /// Another context: the saves of the child become unsaved changes of this parent.
    ///
    /// Parent and child work on one queue, so that neither waits for the other.
    case context(ConfinedContext)

    /// The parent context, or `nil` for a root context.
    var context: ConfinedContext? {
        if case .context(let context) = self { context } else { nil }
    }
}
