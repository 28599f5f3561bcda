import Foundation
import StrataCore
import StrataFiles
import StrataInMemory
import StrataStoreKit

/// The steps that open a store in one file.
struct AtomicOpening {
    let format: any AtomicFormat
    let location: StoreLocation
    let model: ManagedObjectModel
    let options: StoreOptions
    let environment: AtomicEnvironment

    init(
        _ format: any AtomicFormat, at url: URL, model: ManagedObjectModel, options: StoreOptions,
        environment: AtomicEnvironment
    ) {
        (self.format, self.model, self.options, self.environment) = (format, model, options, environment)
        location = StoreLocation(url.path)
    }

    private var noStore: PersistenceError {
        PersistenceError(.storeNotFound, "there is no store", path: location.name)
    }

    func open() throws -> AtomicStore {
        if options.isReadOnly { return try openToRead() }
        let lock = StoreLock(location: location, busyTimeout: options.busyTimeout)
        while true {
            switch try lock.take() {
            case .readOnly: return try openToRead()
            case .taken(let open):
                let file = try AtomicFile(open, at: location, durability: options.durability, environment)
                file.removeLeftovers()
                return try openToWrite(file)
            case .nothing:
                guard options.createsStore else { throw noStore }
                if let store = try create() { return store }
            }
        }
    }

    // MARK: Creation

    /// Creates the file of an empty store; returns `nil` if another process has created a file meanwhile.
    private func create() throws -> AtomicStore? {
        let (title, empty) = (StoreTitle(UUID(), model), InMemoryContents(model, rows: [:]))
        let creation = StoreCreation(location: location, durability: options.durability, environment: environment)
        guard let file = try creation.make({ try format.write(empty, title, to: $0) }) else { return nil }
        file.removeLeftovers()
        return AtomicStore(
            empty, model: model, keeper: StoreKeeper(file, format: format, title: title))
    }

    /// Writes an empty store into a file without content, which is already locked.
    private func fill(_ file: AtomicFile) throws -> AtomicStore {
        guard options.createsStore else { throw noStore }
        let (title, empty) = (StoreTitle(UUID(), model), InMemoryContents(model, rows: [:]))
        let keeper = StoreKeeper(file, format: format, title: title)
        try keeper.keep(empty)
        return AtomicStore(empty, model: model, keeper: keeper)
    }

    // MARK: Reading

    private func decoded(_ bytes: [UInt8]) throws -> DecodedStore {
        try DecodedStore(bytes, format, path: location.name, comparedWith: model)
    }

    /// Returns all bytes of the store's file without locking it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` if there is no file or the file
    ///   is empty.
    func bytesToRead() throws -> [UInt8] {
        guard let status = try location.status(), status.byteCount > 0 else {
            throw noStore
        }
        guard let file = OpenFile(path: location.path, O_RDONLY | O_NONBLOCK) else {
            if errno == ENOENT { throw noStore }
            throw PersistenceError.system(errno, "the store cannot be opened", path: location.name)
        }
        return try file.contents(atMost: environment.maximumByteCount, of: location)
    }

    private func openToRead() throws -> AtomicStore {
        let bytes = try bytesToRead()
        let stored = try decoded(bytes)
        let migration = AtomicMigration(stored, to: model, options.migration)
        let contents = try naming { try migration?.contentsToRead(stored) ?? stored.contents }
        return AtomicStore(
            reading: contents, model: model, identifier: stored.head.identifier, format: format,
            path: location.name, byteCount: bytes.count)
    }

    private func openToWrite(_ file: AtomicFile) throws -> AtomicStore {
        if file.byteCount == 0 { return try fill(file) }
        let stored = try decoded(try file.contents())
        let title = StoreTitle(stored.head.identifier, model)
        guard let migration = AtomicMigration(stored, to: model, options.migration) else {
            return AtomicStore(
                stored.contents, model: model, keeper: StoreKeeper(file, format: format, title: title))
        }
        let contents = try naming { try migration.contents(stored) }
        let keeper = StoreKeeper(file, format: format, title: title, following: migration)
        if !options.migration.isDeferred { try keeper.keep(contents) }
        return AtomicStore(contents, model: model, keeper: keeper)
    }

    /// Runs `body`, and adds the file's name to the errors of a migration.
    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch var error as PersistenceError {
            error.path = error.path ?? location.name
            throw error
        }
    }

    // MARK: Preview

    /// Returns a preview of the migration of the store to the model.
    func preview() throws -> MigrationPreview {
        let stored = try decoded(try bytesToRead())
        guard AtomicMigration(stored, to: model, options.migration) != nil else { return MigrationPreview(steps: []) }
        return try stored.store().previewMigration(to: model, options: options.migration)
    }
}
