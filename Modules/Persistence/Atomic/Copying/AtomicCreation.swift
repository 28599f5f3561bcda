import Foundation
import StrataCore
import StrataFiles
import StrataInMemory
import StrataStoreKit

/// The creation of a store's file from a snapshot of another store.
struct AtomicCreation {
    let format: any AtomicFormat
    let location: StoreLocation
    let copy: StoreCopy
    let options: StoreOptions
    let environment: AtomicEnvironment

    private func taken() -> PersistenceError {
        PersistenceError(
            .cannotCreate, "the file exists already; choose another path, or allow its replacement",
            path: location.name)
    }

    /// Creates the store; if the process is killed at any moment, the file is either unchanged or contains the complete
    /// new store.
    func run() throws {
        let model = copy.snapshot.model
        if !copy.replacesStore, FileStatus(path: location.path, followsLinks: false)?.byteCount ?? 0 > 0 {
            throw taken()
        }
        let meter = try CopyMeter(copy)
        let contents = try InMemoryStore(taking: copy.snapshot, meter: meter).contents()
        let title = StoreTitle(copy.identifier, model)
        try place({ try format.write(contents, title, to: $0) }, willPlace: meter.end)
    }

    private func place(
        _ encode: (any AtomicOutput) throws -> Void, willPlace: () throws -> Void
    ) throws {
        let lock = StoreLock(location: location, busyTimeout: options.busyTimeout)
        while true {
            switch try lock.take() {
            case .taken(let open):
                let file = try AtomicFile(open, at: location, durability: options.durability, environment)
                if file.byteCount ?? 0 > 0 {
                    guard copy.replacesStore else { throw taken() }
                    try checkIsStore(file)
                }
                defer { file.close() }
                return try file.replace(encode, willReplace: willPlace)
            case .readOnly:
                throw PersistenceError(
                    .permissionDenied, "the store cannot be replaced: its file or its folder is not writable",
                    path: location.name)
            case .nothing:
                let creation = StoreCreation(
                    location: location, durability: options.durability, environment: environment)
                if let file = try creation.make(encode, willPlace: willPlace) { return file.close() }
                if !copy.replacesStore { throw taken() }
            }
        }
    }

    /// Throws an error if the existing file is not a store of this kind; a damaged store may be replaced.
    private func checkIsStore(_ file: AtomicFile) throws {
        let bytes = try file.contents()
        do { _ = try format.naming(location.name, bytes) { try format.head(of: bytes) } } catch let error
            as PersistenceError
        {
            guard error.code == .corrupt else { throw error }
        }
    }
}
