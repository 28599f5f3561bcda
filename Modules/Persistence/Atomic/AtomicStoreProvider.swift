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
}
