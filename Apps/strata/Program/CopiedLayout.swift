import Foundation
import StrataModelFiles
import StrataPersistence
import StrataStoreKit

/// The layout of a store's copy in which the keys in files become the identifiers of rows.
///
/// Earlier builds created stores with other identifiers, unless the keys in a file are ascending from 1.
struct CopiedLayout {
    /// The model of the copy.
    let model: ManagedObjectModel
    private let earlier: ManagedObjectModel

    /// Creates a layout in which keys become identifiers, or returns `nil` if no key can be an identifier.
    ///
    /// A key can be an identifier if its values are integers from 1 to 2^53-1 and no other rule of the model names it.
    ///
    /// - Parameters:
    ///   - store: The store to copy.
    ///   - model: The model of the store.
    ///   - isQuiet: A Boolean value that indicates whether nothing is printed on standard error.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    init?(of store: PersistentStoreDescription, _ model: ManagedObjectModel, isQuiet: Bool) throws {
        let candidates = model.entities.compactMap { entity in Self.key(of: entity, in: model).map { (entity, $0) } }
        guard !candidates.isEmpty else { return nil }
        var keys: [String: IdentifyingAttribute] = [:]
        try Stores.withContainer(store.readOnly, model) { container in
            for (entity, column) in candidates {
                keys[entity.name] = try Self.identifier(column, of: entity, in: container.coordinator.store)
            }
        }
        guard !keys.isEmpty else { return nil }
        do throws(ModelFileError) {
            self.model = try ModelFile.model(model, identifiedBy: keys)
        } catch {
            if !isQuiet { Console.note("the copy keeps the row numbers of the store: \(error)") }
            return nil
        }
        earlier = model
        if !isQuiet {
            let names = keys.keys.sorted().joined(separator: ", ")
            Console.note("the copy uses the keys of files as the identifiers of its rows: \(names)")
        }
    }

    /// Creates the copy.
    ///
    /// The rows are converted in a temporary store, so that a failure leaves nothing at the destination.
    func copy(
        _ source: PersistentStoreDescription, to destination: PersistentStoreDescription, _ options: CopyOptions
    ) throws {
        let folder = try TemporaryStores.folder()
        defer { TemporaryStores.remove(folder) }
        var converted = PersistentStoreDescription.sqlite(at: folder.url.appendingPathComponent("converted.sqlite"))
        var first = options
        first.willCommit = {}
        try PersistentContainer.copyPersistentStore(source, to: converted, model: earlier, options: first)
        converted.migration.isCancelled = options.isCancelled
        try PersistentContainer(model: model, converted, mainQueue: .private).close()
        try PersistentContainer.copyPersistentStore(converted, to: destination, model: model, options: options)
    }

    /// Returns the index of the attribute that is the key in files, if it can be the identifier of rows.
    private static func key(of entity: EntityDescription, in model: ManagedObjectModel) -> Int? {
        guard let columns = RowName(entity, in: model)?.columns, columns.count == 1,
            case .column(let place) = columns[0].content, let attribute = entity.columns[place].attribute,
            attribute.type.integerRange != nil, attribute.rules.isEmpty, attribute.domain == nil
        else { return nil }
        let isUsed =
            (entity.uniquenessConstraints + entity.indexes).contains { $0.contains(attribute.name) }
            || model.entities.flatMap(\.relationships).contains {
                $0.destination == entity.name && $0.orderingAttribute == attribute.name
            }
        return isUsed ? nil : place
    }

    /// Reads the keys of all rows, and returns `nil` if one of them cannot be an identifier.
    private static func identifier(
        _ place: Int, of entity: EntityDescription, in store: any PersistentStore
    ) throws -> IdentifyingAttribute? {
        var (isIdentifier, isRising, last) = (true, true, Int64.min)
        try store.fetch(StoreRequest(entity.name)) { row in
            guard case .integer(let number) = try row.value(at: place), identifierRange.contains(number) else {
                isIdentifier = false
                return .stop
            }
            if number <= last { isRising = false }
            last = number
            return .next
        }
        return isIdentifier ? IdentifyingAttribute(entity.columns[place].name, keepsOrder: !isRising) : nil
    }
}
