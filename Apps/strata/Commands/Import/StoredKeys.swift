import Foundation
import StrataInference
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The keys of the rows of a store, to which columns of new datasets can refer.
struct StoredKeys {
    private let container: PersistentContainer
    private let model: ManagedObjectModel
    /// The datasets with their key columns, by their names in files.
    let keys: [(name: String, column: String)]
    /// The names of all datasets.
    var names: [String] { model.entities.map { $0.external.name ?? $0.name } }

    init(_ container: PersistentContainer, _ model: ManagedObjectModel) {
        (self.container, self.model) = (container, model)
        keys = model.entities.compactMap { entity in
            Self.key(entity).map { (entity.external.name ?? entity.name, $0.column) }
        }
    }

    /// Returns the column in files that identifies rows of an entity.
    ///
    /// The result includes the index of the column, or `nil` for the identifier column.
    private static func key(_ entity: EntityDescription) -> (column: String, place: Int?)? {
        if let column = entity.external.idColumn { return (column, nil) }
        let place = entity.columns.firstIndex { column in
            column.attribute.map { $0.isUnique && [.string, .integer64, .uuid].contains($0.type) } ?? false
        }
        return place.map { (entity.columns[$0].externalName, $0) }
    }

    /// Reads the keys of the entities to which a new column can refer.
    ///
    /// - Parameters:
    ///   - inference: The inference that receives the keys.
    ///   - datasets: The names of the datasets and of their columns.
    /// - Throws: The errors of reading the store.
    func read(into inference: inout ModelInference, for datasets: [(name: String, columns: [String])]) throws {
        for entity in model.entities {
            let name = entity.external.name ?? entity.name
            guard let key = Self.key(entity), mayRefer(datasets, to: name, key: key.column) else { continue }
            let type = key.place.map { entity.columns[$0].type } ?? .integer64
            try inference.readStored(name, key: key.column, of: type) { note in
                try container.coordinator.store.fetch(StoreRequest(entity.name)) { row in
                    if let place = key.place {
                        let text = Self.text(try row.value(at: place))
                        if let text { note(Array(text.utf8)) }
                    } else {
                        note(Array(String(row.rawID).utf8))
                    }
                    return .next
                }
            }
        }
    }

    /// Returns the text of a key in files, or `nil` for null.
    static func text(_ value: StoredValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .uuid(let uuid): uuid.uuidString
        default: nil
        }
    }

    /// Returns a Boolean value that indicates whether a new column is named like a reference to an entity.
    private func mayRefer(
        _ datasets: [(name: String, columns: [String])], to name: String, key: String
    ) -> Bool {
        datasets.contains { dataset in
            let entity = model.entities.first { NameMatching.isSame($0.external.name ?? $0.name, dataset.name) }
            let known = entity.map { model.externalColumns(of: $0).map { NameMatching.folded($0.name) } } ?? []
            return dataset.columns.contains { column in
                !known.contains(NameMatching.folded(column))
                    && ModelInference.mayRefer(column, to: name, key: key)
            }
        }
    }
}
