import Foundation
import StrataCore
import StrataInMemory

/// What the two providers do alike.
struct AtomicStoreProvider: Sendable {
    let format: any AtomicFormat
    let url: URL
    var environment = AtomicEnvironment()

    func opening(_ model: ManagedObjectModel, _ options: StoreOptions) -> AtomicOpening {
        AtomicOpening(format, at: url, model, options, environment)
    }

    /// Removes the store.
    func destroy(onlyIfEmpty: Bool, _ options: StoreOptions) throws {
        let location = StoreLocation(url.path)
        let lock = StoreLock(location: location, busyTimeout: options.busyTimeout)
        guard case .taken(let open) = try lock.take(needsWriting: false) else { return }
        let file = try AtomicFile(open, at: location, durability: options.durability, environment)
        if file.byteCount ?? 0 > 0 {
            let bytes = try file.contents()
            let head = try format.naming(location.name, bytes) { try format.head(of: bytes) }
            if onlyIfEmpty {
                let rows = try format.naming(location.name, bytes) {
                    let loader = ContentsLoader(try head.model(comparedWith: nil))
                    try format.read(bytes, after: head, into: loader)
                    return try loader.contents(metadata: [:]).rowCount
                }
                if rows > 0 { return }
            }
        }
        try file.remove()
    }

    /// What the store says of itself.
    func metadata() throws -> StoreMetadata {
        let opening = opening(try ManagedObjectModel([]), StoreOptions())
        let bytes = try opening.bytesToRead()
        return try format.naming(opening.location.name, bytes) {
            let head = try format.head(of: bytes)
            let model = try head.model(comparedWith: nil)
            return StoreMetadata(
                information: StoreInformation(
                    kind: format.kind, identifier: head.identifier, formatVersion: format.version,
                    byteCount: Int64(bytes.count)),
                modelImage: try model.json(), modelFile: head.modelFile, model: model, texts: head.metadata)
        }
    }

    /// Makes the store of another one.
    func create(from copy: StoreCopy, _ options: StoreOptions) throws {
        try AtomicCreation(
            format: format, location: StoreLocation(url.path), copy: copy, options: options, environment: environment
        ).run()
    }

    /// Looks at all of the store.
    func check(
        _ model: ManagedObjectModel, _ options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        guard !checking.repairs else {
            throw PersistenceError(
                .invalidRequest,
                "the kind “\(format.kind)” of stores cannot be repaired: nothing in the file can be rebuilt from the rest; put a backup back",
                path: url.path)
        }
        return try withoutActuallyEscaping(report) { report in
            try AtomicCheck(opening(model, options), checking, report: report).run()
        }
    }
}
