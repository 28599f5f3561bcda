import Foundation
import StrataCore
import StrataStoreKit

/// The creation of the file of a new store.
struct StoreCreation {
    let location: StoreLocation
    let durability: Durability
    let environment: AtomicEnvironment

    /// Creates the file of the store and locks it.
    ///
    /// - Parameters:
    ///   - encode: A closure that writes the whole store to the file.
    ///   - willPlace: A closure that is called when the file is complete and does not have the store's name yet.
    /// - Returns: The locked file, or `nil` if another process has created a file meanwhile.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` if the folder does not exist or
    ///   is not writable.
    func make(_ encode: (any AtomicOutput) throws -> Void, willPlace: () throws -> Void = {}) throws -> AtomicFile? {
        let new: NewStoreFile
        do {
            new = try location.reporting { try NewStoreFile(for: location, replacing: nil, environment) }
        } catch let error as PersistenceError where [.permissionDenied, .inputOutput].contains(error.code) {
            throw PersistenceError(.cannotCreate, "the store cannot be created: \(error.message)", path: location.name)
        }
        try location.reporting {
            try encode(new)
            try new.synchronize()
        }
        try willPlace()
        guard try location.reporting(new.placeIfFree) else { return nil }
        if durability == .full { try location.synchronizeFolder() }
        return try AtomicFile(new.file, at: location, durability: durability, environment)
    }
}
