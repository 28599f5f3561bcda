import Foundation
import StrataCore
import StrataInMemory
import StrataModelFiles

/// A store that was read from its file.
struct DecodedStore {
    let head: StoreHead
    /// The model with which the store was created, or to which it was migrated last.
    let model: ManagedObjectModel
    let contents: InMemoryContents
    /// A Boolean value that indicates whether the stored model is identical to the compared one.
    let isModelSame: Bool

    /// Reads a store.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - format: The format of the file.
    ///   - path: The name of the file for error messages.
    ///   - model: The model for a later comparison.
    ///   - report: A closure that receives each fault of a row, after which the reading continues; if `nil`, the first
    ///     fault ends the reading.
    /// - Throws: ``PersistenceError`` with the location of the fault.
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

    /// Returns a store in memory with the rows and the stored model.
    func store() -> InMemoryStore { InMemoryStore(contents, model: model) { _ in } }
}
