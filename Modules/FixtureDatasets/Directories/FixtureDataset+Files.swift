import StrataCore
import StrataInterchange
import StrataStoreKit

extension FixtureDataset {
    /// A Boolean value that indicates whether the files can be written only from a store that contains the rows.
    ///
    /// That is the case if the files use keys as references, contain lists of related objects, or have an explicit
    /// order of columns.
    ///
    /// If it is true, insert the dataset into a temporary store with ``store(in:isCancelled:progress:willCommit:)``,
    /// and pass that store to the methods that write files. Otherwise these methods generate the rows and ignore the
    /// store.
    public var needsStore: Bool {
        model.entities.contains { entity in
            !entity.external.columns.isEmpty
                || model.externalColumns(of: entity).contains { column in
                    switch column.content {
                    case .key, .list: true
                    case .identifier, .column: false
                    }
                }
        } || model.joins.contains { $0.linkTable != nil }
    }

    /// The many-to-many relationships whose join rows are in a separate file.
    var filedPairs: [FixturePairs] { pairs.filter(\.join.hasDataset) }

    /// The names of the dataset files without extensions, in the order of the manifest.
    ///
    /// Entities come first, in the order of the model; join rows in separate files follow. Use the names to find out
    /// whether a directory contains files that the dataset would replace.
    public var fileNames: [String] {
        producers.map { Self.fileName(of: $0.entity) } + filedPairs.map { Self.fileName(of: $0.join) }
    }

    /// Returns the name of the file of an entity, which the model can state.
    static func fileName(of entity: EntityDescription) -> String {
        ExternalForm.fileName(entity.external.name, otherwise: entity.name)
    }

    /// Returns the name of the file of a join table, which the model can state.
    static func fileName(of join: JoinDescription) -> String {
        ExternalForm.fileName(join.linkTable?.name, otherwise: join.name)
    }

    /// Throws an error if the files can be written only from a store and no store was passed.
    func checkStore(_ store: (any PersistentStore)?) throws(InterchangeError) {
        guard store == nil, needsStore else { return }
        throw InterchangeError(
            .unsupported,
            message:
                "files of this model have references by keys, lists or an order of columns: store the dataset in a "
                + "store, and export the store"
        )
    }
}
