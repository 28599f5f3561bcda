public import Foundation
import StrataCore

/// Which store a container opens, and how.
public struct PersistentStoreDescription: Sendable {
    enum Kind: Sendable {
        case sqlite(URL)
        case inMemory
        case custom(name: String, @Sendable (ManagedObjectModel) throws -> any PersistentStore)
    }

    let kind: Kind
    /// Whether nothing will be written; for SQLite stores only.
    public var isReadOnly = false
    /// Whether a store is made where there is none.
    public var createsStore = true
    /// How long to wait while another process or connection holds the store.
    public var busyTimeout: Duration = .seconds(5)
    /// How old a row may be that a fault, a reference or a prefetch takes from the container's cache instead of the store; `nil` is any age.
    ///
    /// Zero, the default, means that there is no cache. What this container's contexts save is never missed; the interval is about other
    /// processes. Fetches always ask the store.
    public var stalenessInterval: Duration? = .zero
    /// The time; another one in tests.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// A SQLite store in a file: the default kind.
    public static func sqlite(at url: URL) -> PersistentStoreDescription {
        PersistentStoreDescription(kind: .sqlite(url))
    }

    /// A store in memory, empty at the beginning and gone at the end.
    public static var inMemory: PersistentStoreDescription {
        PersistentStoreDescription(kind: .inMemory)
    }

    /// A store of another kind.
    ///
    /// - Parameters:
    ///   - name: The kind's name, for messages.
    ///   - open: Opens the store with a model.
    /// - Returns: The description.
    public static func custom(
        _ name: String, open: @escaping @Sendable (ManagedObjectModel) throws -> any PersistentStore
    ) -> PersistentStoreDescription {
        PersistentStoreDescription(kind: .custom(name: name, open))
    }

    private init(kind: Kind) {
        self.kind = kind
    }

    /// The same SQLite store, for reading only; one that does not exist is not made.
    public var readOnly: PersistentStoreDescription {
        var description = self
        description.isReadOnly = true
        description.createsStore = false
        return description
    }

    /// The file of a SQLite store.
    public var url: URL? {
        if case .sqlite(let url) = kind { url } else { nil }
    }

    func open(_ model: ManagedObjectModel) throws -> any PersistentStore {
        switch kind {
        case .sqlite(let url):
            return try SQLiteStore.open(
                at: url, model: model, isReadOnly: isReadOnly, createsFile: createsStore, busyTimeout: busyTimeout)
        case .inMemory:
            if isReadOnly { throw Self.notReadOnly("a store in memory is empty at the beginning, so it") }
            return InMemoryStore(model: model)
        case .custom(let name, let open):
            if isReadOnly { throw Self.notReadOnly("a store of the kind “\(name)”") }
            return try open(model)
        }
    }

    private static func notReadOnly(_ subject: String) -> PersistenceError {
        PersistenceError(.invalidRequest, "\(subject) cannot be opened for reading only; only SQLite stores can")
    }
}
