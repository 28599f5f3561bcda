import Foundation
import StrataCore
import StrataModelFiles

/// The beginning of a store, which can be read without its model.
struct StoreHead {
    var identifier: UUID
    /// The model as a model file.
    var modelFile: String
    /// The user-defined metadata of the store.
    var metadata: [String: String]
    /// The offset of the rows in bytes.
    var rows: Int

    /// Returns the stored model.
    ///
    /// - Parameter model: The model for a later comparison; the rules of its Swift types are used for the types of the
    ///   stored model with the same names.
    /// - Returns: The model.
    /// - Throws: ``FormatError`` if the text is not a valid model.
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

/// The values that are written at the beginning of a store.
struct StoreTitle: Sendable {
    let identifier: UUID
    let model: ManagedObjectModel
    /// The model as a model file, which is encoded once.
    let modelFile: String

    init(_ identifier: UUID, _ model: ManagedObjectModel) {
        (self.identifier, self.model) = (identifier, model)
        modelFile = ModelFile.text(of: model)
    }
}
