import Foundation
import StrataCore
import StrataModelFiles

/// What stands at the beginning of a store: all that can be known of it without its model.
struct StoreHead {
    var identifier: UUID
    /// The model as a model file.
    var modelFile: String
    /// What users keep in the store.
    var metadata: [String: String]
    /// Where the rows begin, in bytes.
    var rows: Int

    /// The model.
    ///
    /// - Parameter model: What it will be compared with: the rules of its Swift types are those of the store's, where they have the same names.
    /// - Returns: The model.
    /// - Throws: ``FormatError`` for what is no model.
    func model(comparedWith model: ManagedObjectModel?) throws -> ManagedObjectModel {
        let domains = (model?.entities ?? []).flatMap(\.attributes).compactMap(\.domain)
        do {
            return try ModelFile(
                json: Array(modelFile.utf8),
                domains: Dictionary(domains.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
                isKept: true
            ).model
        } catch {
            throw FormatError("the store's model cannot be read: \(error)", at: nil)
        }
    }
}

/// What is written at the beginning of a store.
struct StoreTitle: Sendable {
    let identifier: UUID
    let model: ManagedObjectModel
    /// The model as a model file, made once.
    let modelFile: String

    init(_ identifier: UUID, _ model: ManagedObjectModel) {
        (self.identifier, self.model) = (identifier, model)
        modelFile = ModelFile.text(of: model)
    }
}
