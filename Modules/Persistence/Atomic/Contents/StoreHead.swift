import Foundation
import StrataCore
import StrataModelFiles

/// The beginning of a store's file, which can be read without knowledge of the store's model.
struct StoreHead {
    var identifier: UUID
    /// The text of the stored model as a model file.
    var modelFile: String
    /// The user-defined metadata of the store.
    var metadata: [String: String]
    /// The offset in the file at which the rows begin, in bytes.
    var rows: Int

    /// Returns the stored model.
    ///
    /// - Parameter model: The model with which the stored model will be compared. For Swift types that both models
    ///   name, its rules are used.
    /// - Returns: The stored model.
    /// - Throws: ``FormatError`` if ``modelFile`` is not a valid model.
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

/// The values that the beginning of a store's file contains.
struct StoreTitle: Sendable {
    let identifier: UUID
    let model: ManagedObjectModel
    /// The text of the store's model as a model file, which is created once for all writes.
    let modelFile: String

    init(_ identifier: UUID, _ model: ManagedObjectModel) {
        (self.identifier, self.model) = (identifier, model)
        modelFile = ModelFile.text(of: model)
    }
}
