/// A many-to-many relationship as stores keep it: pairs of identifiers, for both sides at once.
///
/// The side that the model declares first is the source.
public struct JoinDescription: Sendable, Hashable {
    /// The name, and the table's: entity and relationship of the source side (`Article_tags`).
    public let name: String
    /// The entity of the source side.
    public let sourceEntity: String
    /// The relationship from the source to its targets.
    public let sourceRelationship: String
    /// The entity of the target side.
    public let targetEntity: String
    /// The relationship from the target back to its sources; a symmetric join table's is the source's.
    public let targetRelationship: String
    /// Whether the relationship is its own inverse; a pair is then kept once, the lesser identifier first.
    public let isSymmetric: Bool
    /// Whether a source's targets have positions.
    public let isSourceOrdered: Bool
    /// Whether a target's sources have positions.
    public let isTargetOrdered: Bool
    /// How datasets hold the pairs, where somebody said so.
    public let link: ExternalLink?
    /// Whether that is said at the source's side.
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

    /// The dataset of the pairs, where they have one of their own that somebody described.
    public var linkTable: ExternalLinkTable? { if case .table(let table) = link { table } else { nil } }

    /// Whether the pairs have a dataset of their own; otherwise they stand in a column of an entity's.
    public var hasDataset: Bool { if case .list = link { false } else { true } }

    /// What files call the dataset of the pairs.
    public var externalName: String { linkTable?.name ?? name }

    /// A pair as the join table keeps it: a symmetric one with the lesser identifier first.
    public func kept(_ pair: JoinPair) -> JoinPair {
        isSymmetric && pair.target < pair.source ? JoinPair(source: pair.target, target: pair.source) : pair
    }

    /// A pair as the join table keeps it, with the positions that the join table has.
    public func kept(_ row: JoinRow) -> JoinRow {
        JoinRow(
            kept(row.pair), sourcePosition: isSourceOrdered ? row.sourcePosition : nil,
            targetPosition: isTargetOrdered ? row.targetPosition : nil)
    }
}

extension ManagedObjectModel {
    /// The many-to-many relationships, each once, in the declared order of their sources.
    static func joins(of entities: [EntityDescription]) -> [JoinDescription] {
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var joins: [JoinDescription] = []
        for entity in entities {
            for relationship in entity.relationships where relationship.cardinality == .toMany {
                // What has no such inverse is a mistake that the model's check names.
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
