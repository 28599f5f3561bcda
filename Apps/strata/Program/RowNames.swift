import StrataPersistence

/// Names rows in messages by the keys of their files.
final class RowNames {
    /// A row as people know it.
    struct Named {
        /// The key by the names of files; `nil` for a row that has none, or whose key cannot be read.
        let key: [(String, StoredValue)]?
        /// The name in a message: `code “A”`, or `_row 7`.
        let text: String
    }

    private let model: ManagedObjectModel
    private let open: () throws -> any StoreReader
    private var reader: (any StoreReader)?
    /// Whether the store could not be read, which is tried once.
    private var isUnreadable = false

    /// - Parameters:
    ///   - model: The model of the store.
    ///   - open: Opens the store to read it, when the first name is asked for.
    init(_ model: ManagedObjectModel, _ open: @escaping () throws -> any StoreReader) {
        (self.model, self.open) = (model, open)
    }

    /// Returns the name of a row; `nil` if the identifier is its key, or if there is no such entity.
    ///
    /// A row that cannot be read has its number: what is wrong with it is what the message says.
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

    /// Returns an error that names the rows of its failures.
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
