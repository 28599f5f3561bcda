public import Foundation

/// One place where a store may be, and how it is opened and removed: a kind of store is a type that conforms.
///
/// ```swift
/// let container = try PersistentContainer(model: model, PersistentStoreDescription(MyStoreProvider(host: "…")))
/// ```
public protocol StoreProvider: Sendable {
    /// The kind's name, for messages.
    var kind: String { get }

    /// The store's file, where it has one.
    var url: URL? { get }

    /// Opens the store, and makes it where there is none and `options` let it.
    ///
    /// Blocks until it is done; may be called from any thread.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: How it is opened. What a kind cannot obey it refuses.
    /// - Returns: The store.
    /// - Throws: ``PersistenceError`` that says why it cannot be opened; nothing is left open, and what was there is as before.
    func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore

    /// Removes the store, which nobody has open; where there is none, nothing happens.
    ///
    /// - Parameters:
    ///   - onlyIfEmpty: Whether a store that holds any row is left as it is.
    ///   - options: How it would be opened.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody has it open.
    func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws
}

extension StoreProvider {
    /// There is no file.
    public var url: URL? { nil }
}

/// How a store is opened, whatever its kind.
public struct StoreOptions: Sendable {
    /// Whether nothing will be written.
    public var isReadOnly = false
    /// Whether a store is made where there is none.
    public var createsStore = true
    /// How long to wait while another process or connection holds the store.
    public var busyTimeout: Duration = .seconds(5)

    /// For reading and writing; a store that does not exist is made.
    public init() {}
}

extension PersistenceError {
    /// A kind of store that cannot be opened for reading only.
    ///
    /// - Parameter subject: What cannot, as a sentence begins.
    /// - Returns: An error with code ``Code/invalidRequest``.
    public static func notReadOnly(_ subject: String) -> PersistenceError {
        PersistenceError(.invalidRequest, "\(subject) cannot be opened for reading only; only SQLite stores can")
    }
}
