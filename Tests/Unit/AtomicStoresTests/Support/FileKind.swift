import Foundation
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataAtomicStores

/// The kinds of stores that are one file.
enum FileKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case xml, binary

    var testDescription: String { rawValue }

    /// Returns the provider of a store in a file.
    func provider(_ url: URL, _ environment: AtomicEnvironment = AtomicEnvironment()) -> any StoreProvider {
        switch self {
        case .xml: AtomicStoreProvider(.xml, at: url, environment)
        case .binary: AtomicStoreProvider(.binary, at: url, environment)
        }
    }

    /// Opens the store in a file.
    func open(
        _ url: URL, _ model: ManagedObjectModel, isReadOnly: Bool = false, createsStore: Bool = true,
        busyTimeout: Duration = .zero, _ migration: MigrationOptions = MigrationOptions(),
        in environment: AtomicEnvironment = AtomicEnvironment()
    ) throws -> any PersistentStore {
        var options = StoreOptions()
        (options.isReadOnly, options.createsStore) = (isReadOnly, createsStore)
        (options.busyTimeout, options.migration) = (busyTimeout, migration)
        return try provider(url, environment).open(model, options: options)
    }

    var format: any AtomicFormat {
        switch self {
        case .xml: XMLFormat()
        case .binary: BinaryFormat()
        }
    }

    /// Returns the URL of a file of this kind in a folder.
    func file(in folder: TemporaryFolder) -> URL { folder.file(self == .xml ? "store.stxml" : "store.stbin") }
}

/// Returns the error that a call throws.
func failure(_ body: () throws -> Void) -> PersistenceError? {
    do { try body() } catch { return error as? PersistenceError }
    return nil
}

extension PersistentStore {
    /// Returns all data of the store as text, in a fixed order.
    func everything() throws -> String {
        let snapshot = try openSnapshots(1)[0]
        defer { snapshot.close() }
        var lines: [String] = []
        for entity in model.entities {
            lines.append("\(entity.name) \(try snapshot.identifierMarks()[entity.name] ?? 1)")
            for row in try snapshot.rows(StoreRequest(entity.name)) { lines.append("\(row)") }
        }
        for join in model.joins { for row in try snapshot.joins(JoinRequest(join.name)) { lines.append("\(row)") } }
        for (key, text) in try snapshot.metadata().sorted(by: { $0.key < $1.key }) { lines.append("\(key)=\(text)") }
        return lines.joined(separator: "\n")
    }
}
