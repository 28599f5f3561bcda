import StrataPersistence
import StrataStoreKit

/// A cache that names rows in messages by their keys in files.
final class RowNames {
    /// The name of a row.
    struct Named {
        /// The key by the names in files, or `nil` if the row has no key or the key cannot be read.
        let key: [(String, StoredValue)]?
        /// The name in a message: `code “A”`, or `_row 7`.
        let text: String
    }

    private let model: ManagedObjectModel
    private let open: () throws -> any StoreReader
    private var reader: (any StoreReader)?
    /// A Boolean value that indicates whether the store could not be read; it is opened only once.
    private var isUnreadable = false

    /// Creates names for the rows of a store.
    ///
    /// - Parameters:
    ///   - model: The model of the store.
    ///   - open: A closure that opens the store for reading. It is called when the first name is needed.
    init(_ model: ManagedObjectModel, _ open: @escaping () throws -> any StoreReader) {
        (self.model, self.open) = (model, open)
    }

    /// Returns the name of a row, or `nil` if the identifier is its key or the entity does not exist.
    ///
    /// A row that cannot be read is named by its number, because the message already reports the reason.
    func name(of id: Int64, _ entity: String) -> Named? {
        guard let description = model[entity], description.external.idColumn == nil else { return nil }
        do {
            let key = try RowName(description, in: model)?.key(of: id, entity, in: try read())
            return Named(key: key, text: key.map(RowName.text) ?? "\(FileName.rowNumber) \(id)")
        } catch {
            isUnreadable = true
            return Named(key: nil, text: "\(FileName.rowNumber) \(id)")
        }
    }

    /// Returns an error whose failures contain the names of their rows.
    func naming(_ error: PersistenceError) -> PersistenceError {
        var error = error
        if let entity = error.entity, model[entity]?.external.idColumn == nil {
            error.message = error.message(naming: { name(of: $0, entity)?.text ?? "object \($0)" })
        }
        for index in error.failures.indices where error.failures[index].id != 0 {
            error.failures[index].rowName = name(of: error.failures[index].id, error.failures[index].entity)?.text
        }
        return error
    }

    private func read() throws -> any StoreReader {
        if let reader { return reader }
        guard !isUnreadable else { throw PersistenceError(.closed, "the store cannot be read") }
        let opened = try open()
        reader = opened
        return opened
    }
}
