import StrataCore
import StrataInterchange

extension FixtureDataset {
    /// Whether files of the model can be written from a store alone that has the rows, because they refer by keys, have lists of what objects lead
    /// to, or columns in an order of their own.
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

    /// The many-to-many relationships whose pairs have a file of their own.
    var filedPairs: [FixturePairs] { pairs.filter(\.join.hasDataset) }

    /// The names of the files, without their endings, in the order of the manifest.
    public var fileNames: [String] {
        producers.map { Self.fileName(of: $0.entity) } + filedPairs.map { Self.fileName(of: $0.join) }
    }

    static func fileName(of entity: EntityDescription) -> String {
        ExternalForm.fileName(entity.external.name, otherwise: entity.name)
    }

    static func fileName(of join: JoinDescription) -> String {
        ExternalForm.fileName(join.linkTable?.name, otherwise: join.name)
    }

    /// Makes sure that there is a store where it is needed.
    func checkStore(_ store: (any PersistentStore)?) throws(InterchangeError) {
        guard store == nil, needsStore else { return }
        throw InterchangeError(
            .unsupported,
            message:
                "files of this model refer by keys, have lists or an order of columns: store the dataset, and write it from the store"
        )
    }
}
