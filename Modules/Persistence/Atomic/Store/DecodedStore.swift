import Foundation
import StrataCore
import StrataInMemory
import StrataModelFiles

/// A store that was read from its file.
struct DecodedStore {
    let head: StoreHead
    /// The stored model, with which the store was created or to which it was last migrated.
    let model: ManagedObjectModel
    let contents: InMemoryContents
    /// A Boolean value that indicates whether the stored model is identical to the model with which it was compared.
    let isModelSame: Bool

    /// Reads a store from the bytes of its file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - format: The format of the file.
    ///   - path: The name of the file for error messages.
    ///   - model: The model with which the stored model is compared.
    ///   - report: A closure that receives each fault of a row, after which the reading continues; if `nil`, the first
    ///     fault ends the reading with an error.
    /// - Throws: ``PersistenceError`` with the location of the fault in the file.
    init(
        _ bytes: [UInt8], _ format: any AtomicFormat, path: String, comparedWith model: ManagedObjectModel,
        report: ((RowFault) throws -> Void)? = nil
    ) throws {
        (head, self.model, contents, isModelSame) = try format.naming(path, bytes) {
            let head = try format.head(of: bytes)
            let isSame = head.modelFile == ModelFile.text(of: model)
            let stored = isSame ? model : try head.model(comparedWith: model)
            let loader = ContentsLoader(stored, report: report)
            try format.read(bytes, after: head, into: loader)
            return (head, stored, try loader.contents(metadata: head.metadata), isSame)
        }
    }

    /// Returns a store in memory with the rows that were read and the stored model.
    func store() -> InMemoryStore { InMemoryStore(contents, model: model) { _ in } }
}
