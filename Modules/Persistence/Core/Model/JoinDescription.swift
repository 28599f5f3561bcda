/// A many-to-many relationship as stores contain it: join rows of two identifiers, shared by both sides.
///
/// The source is the side that the model declares first.
public struct JoinDescription: Sendable, Hashable {
    /// The name of the relationship and its table: source entity and relationship (`Article_tags`).
    public let name: String
    /// The entity of the source side.
    public let sourceEntity: String
    /// The relationship from the source to its targets.
    public let sourceRelationship: String
    /// The entity of the target side.
    public let targetEntity: String
    /// The relationship from the target back to its sources; for a symmetric one, the source's relationship.
    public let targetRelationship: String
    /// A Boolean value that indicates whether the relationship is its own inverse.
    ///
    /// A join row of a symmetric relationship is stored once, with the lesser identifier first.
    public let isSymmetric: Bool
    /// A Boolean value that indicates whether a source's targets are ordered.
    public let isSourceOrdered: Bool
    /// A Boolean value that indicates whether a target's sources are ordered.
    public let isTargetOrdered: Bool
    /// The representation of the join rows in datasets, if one is declared.
    public let link: ExternalLink?
    /// A Boolean value that indicates whether the source side declares ``link``.
    public let isLinkOfSource: Bool

    init(
        _ source: RelationshipDescription, of sourceEntity: String,
        _ target: RelationshipDescription, of targetEntity: String
    ) {
        name = "\(sourceEntity)_\(source.name)"
        self.sourceEntity = sourceEntity
        sourceRelationship = source.name
        self.targetEntity = targetEntity
        targetRelationship = target.name
        isSymmetric = sourceEntity == targetEntity && source.name == target.name
        isSourceOrdered = source.isOrdered
        isTargetOrdered = target.isOrdered
        link = source.externalLink ?? target.externalLink
        isLinkOfSource = source.externalLink != nil
    }

    /// The declared dataset of the join rows; `nil` if none is declared.
    public var linkTable: ExternalLinkTable? { if case .table(let table) = link { table } else { nil } }

    /// A Boolean value that indicates whether the join rows have a separate dataset.
    ///
    /// Otherwise a list column of an entity's dataset contains them.
    public var hasDataset: Bool { if case .list = link { false } else { true } }

    /// The name of the join rows' dataset in files.
    public var externalName: String { linkTable?.name ?? name }

    /// Returns a pair in stored form: the lesser identifier is first if the relationship is symmetric.
    public func kept(_ pair: JoinPair) -> JoinPair {
        isSymmetric && pair.target < pair.source ? JoinPair(source: pair.target, target: pair.source) : pair
    }

    /// Returns a join row in stored form, with only the positions that the join table stores.
    public func kept(_ row: JoinRow) -> JoinRow {
        JoinRow(
            kept(row.pair), sourcePosition: isSourceOrdered ? row.sourcePosition : nil,
            targetPosition: isTargetOrdered ? row.targetPosition : nil)
    }
}

extension ManagedObjectModel {
    /// Returns the many-to-many relationships, each once, in the declaration order of their sources.
    static func joins(of entities: [EntityDescription]) -> [JoinDescription] {
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var joins: [JoinDescription] = []
        for entity in entities {
            for relationship in entity.relationships where relationship.cardinality == .toMany {
                // The model check reports a relationship without such an inverse.
                guard let name = relationship.inverse,
                    let inverse = byName[relationship.destination]?.relationship(named: name),
                    inverse.cardinality == .toMany,
                    !joins.contains(where: {
                        $0.targetEntity == entity.name && $0.targetRelationship == relationship.name
                    })
                else { continue }
                joins.append(JoinDescription(relationship, of: entity.name, inverse, of: relationship.destination))
            }
        }
        return joins
    }
}
