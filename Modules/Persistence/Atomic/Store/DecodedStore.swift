import Foundation
import StrataCore
import StrataInMemory
import StrataModelFiles

/// A store as it was read from its file.
struct DecodedStore {
    let head: StoreHead
    /// The model that it was made with, or followed last.
    let model: ManagedObjectModel
    let contents: InMemoryContents
    /// Whether that is the model it was compared with, in every word.
    let isModelSame: Bool

    /// Reads a store.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - format: Its format.
    ///   - path: Its name, for errors.
    ///   - model: The model that it will be compared with.
    ///   - report: Gets what is wrong with rows, and the reading goes on; `nil` ends it with the first fault.
    /// - Throws: ``PersistenceError`` with the place of what is wrong.
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

    /// A store in memory with the rows, of the model that they were made with.
    func store() -> InMemoryStore { InMemoryStore(contents, model: model) { _ in } }
}
