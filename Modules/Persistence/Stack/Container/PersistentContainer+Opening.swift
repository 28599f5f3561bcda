import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// The maximum count of attempts to open a store whose history other processes turn on or off at the same time.
    private static let attemptsToOpen = 10

    /// Opens a store with the level of history that its description requires.
    static func open(
        _ model: ManagedObjectModel, _ description: PersistentStoreDescription
    ) throws -> any PersistentStore {
        let origin = WriteOrigin(author: description.author)
        func open() throws -> any PersistentStore {
            try WriteOrigin.$current.withValue(origin) { try description.open(model) }
        }
        guard let wanted = description.history else { return try open() }
        for _ in 0..<attemptsToOpen {
            let store = try open()
            do {
                if wanted == .off, store.history == nil { return store }
                let history = try store.requiredHistory()
                if try history.level() == wanted { return store }
                try history.setLevel(wanted)
            } catch let error as PersistenceError where error.code == .storeMigrated {
                // Another process changed the history after this one opened the store.
            } catch {
                // The caller gets this error, not an error of closing.
                try? store.close()
                throw error
            }
            try store.close()
        }
        return try open()
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
