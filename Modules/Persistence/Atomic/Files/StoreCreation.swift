import Foundation
import StrataCore

/// Makes the file of a store where there is none.
struct StoreCreation {
    let location: StoreLocation
    let durability: Durability
    let environment: AtomicEnvironment

    /// Makes it.
    ///
    /// - Parameters:
    ///   - encode: Writes all of the store.
    ///   - willPlace: Called when the file is whole, before anybody sees it.
    /// - Returns: The file, locked; `nil` where somebody was faster.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` where there is no such folder, or it may not be written.
    func make(_ encode: (any AtomicOutput) throws -> Void, willPlace: () throws -> Void = {}) throws -> AtomicFile? {
        let new: TemporaryFile
        do { new = try TemporaryFile(for: location, replacing: nil, environment) } catch let error as PersistenceError {
            switch error.code {
            case .permissionDenied, .inputOutput:
                throw PersistenceError(
                    .cannotCreate, "the store cannot be created: \(error.message)", path: location.name)
            case .locked: return nil
            default: throw error
            }
        }
        try encode(new)
        try new.synchronize()
        try willPlace()
        guard try new.placeIfFree() else { return nil }
        if durability == .full { try TemporaryFile.synchronizeFolder(of: location) }
        return try AtomicFile(new.file, at: location, durability: durability, environment)
    }
}
