import StrataCore

/// Where a context reads from, and where its saves go: the store, or another context of the same tree.
enum ContextParent {
    /// A root context: its saves are written.
    case store
    /// A child: its saves become the parent's changes. Both work on one queue, so that neither waits for the other.
    case context(ConfinedContext)

    /// The parent context; `nil` for a root.
    var context: ConfinedContext? {
        if case .context(let context) = self { context } else { nil }
    }
}
