/// A many-to-many relationship as stores contain it: a join table whose rows are pairs of identifiers, for both sides.
///
/// The source is the side that the model declares first; the target is the other side.
///
/// A join row exists once for each related pair, and has no identifier or version of its own. Both sides of the
/// relationship read and write the same rows.
///
/// ## Topics
///
/// ### The table
///
/// - ``name``
/// - ``isSymmetric``
///
/// ### The source
///
/// - ``sourceEntity``
/// - ``sourceRelationship``
/// - ``isSourceOrdered``
///
/// ### The target
///
/// - ``targetEntity``
/// - ``targetRelationship``
/// - ``isTargetOrdered``
///
/// ### Datasets
///
/// - ``externalName``
/// - ``hasDataset``
/// - ``link``
/// - ``linkTable``
/// - ``isLinkOfSource``
public struct JoinDescription: Sendable, Hashable {
    /// The name of the join table: the source entity and its relationship (`Article_tags`).
    public let name: String
    /// The name of the source entity.
    public let sourceEntity: String
    /// The name of the relationship from the source entity to the target entity.
    public let sourceRelationship: String
    /// The name of the target entity.
    public let targetEntity: String
    /// The name of the relationship from the target entity back to the source entity.
    ///
    /// If the relationship is symmetric, it is the same as ``sourceRelationship``.
    public let targetRelationship: String
    /// A Boolean value that indicates whether the relationship is symmetric: it is its own inverse.
    ///
    /// A join row of a symmetric relationship is stored once, with the lesser identifier first.
    public let isSymmetric: Bool
    /// A Boolean value that indicates whether the targets of each source are ordered.
    public let isSourceOrdered: Bool
    /// A Boolean value that indicates whether the sources of each target are ordered.
    public let isTargetOrdered: Bool
    /// The declared representation of the join rows in datasets; `nil` if none is declared.
    public let link: ExternalLink?
    /// A Boolean value that indicates whether the source's relationship, and not the target's, declares ``link``.
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

    /// The declared dataset of the join rows; `nil` if no separate dataset is declared.
    public var linkTable: ExternalLinkTable? { if case .table(let table) = link { table } else { nil } }

    /// A Boolean value that indicates whether the join rows have a separate dataset.
    ///
    /// If it is `false`, a list column of an entity's dataset contains them.
    public var hasDataset: Bool { if case .list = link { false } else { true } }

    /// The name of the join table in datasets.
    public var externalName: String { linkTable?.name ?? name }

    /// Returns a pair of identifiers in stored form: the lesser identifier is first if the relationship is symmetric.
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
    /// Returns the join table of each many-to-many relationship of the entities, in the declaration order of its
    /// source.
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
