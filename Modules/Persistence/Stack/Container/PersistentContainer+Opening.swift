import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Opens a store with the level of history that its description requires.
    static func open(
        _ model: ManagedObjectModel, _ description: PersistentStoreDescription
    ) throws -> any PersistentStore {
        let origin = WriteOrigin(author: description.author)
        let store = try WriteOrigin.$current.withValue(origin) { try description.open(model) }
        guard let wanted = description.history else { return store }
        do {
            if wanted == .off, store.history == nil { return store }
            let history = try store.requiredHistory()
            if try history.level() == wanted { return store }
            try history.setLevel(wanted)
            try store.close()
        } catch {
            // The caller gets this error, not an error of closing.
            try? store.close()
            throw error
        }
        return try WriteOrigin.$current.withValue(origin) { try description.open(model) }
    }
}

extension PersistentStore {
    /// Returns the history of the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/notTracked`` if its kind cannot keep one.
    func requiredHistory() throws -> any StoreHistory {
        if let history { return history }
        throw PersistenceError(
            .notTracked,
            "this kind of store cannot keep a history; a SQLite store and a store on a PostgreSQL server can")
    }
}
