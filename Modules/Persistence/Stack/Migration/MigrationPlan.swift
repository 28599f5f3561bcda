import StrataCore
import StrataStoreKit

/// The model versions that stores may have, with a migration stage from each version to the next.
///
/// ```swift
/// let plan = try MigrationPlan(
///     [ModelVersion("1", first), ModelVersion("2", second), ModelVersion("3", third)],
///     stages: [.inferred(from: "1", to: "2"), .custom(from: "2", to: "3", [split])])
/// var description = PersistentStoreDescription.sqlite(at: url)
/// description.migrationPlan = plan
/// let container = try PersistentContainer(model: third, description)
/// ```
///
/// A store with any of these versions is migrated through all following stages in one transaction. If a store has none
/// of the versions, the migration throws an error before it changes anything.
///
/// The version of a store is determined from the model that is saved in it. A store needs no version number, and a
/// model that differs from a version only in details without an effect on rows, such as the order of properties, has
/// that version.
///
/// Without a plan, the changes between the model of the store and the container's model are inferred. A plan is needed
/// only if a change cannot be inferred, or if the data must be converted by code. For the changes that can be inferred,
/// and for the tests of a plan, see <doc:TheSecondRelease>.
///
/// ## Topics
///
/// - ``init(_:stages:)``
/// - ``versions``
/// - ``stages``
/// - ``ModelVersion``
/// - ``MigrationStage``
/// - ``EntityTransform``
/// - ``MigratingRows``
public struct MigrationPlan: Sendable {
    /// The model versions, oldest first.
    public let versions: [ModelVersion]
    /// The stages, one from each version to the next.
    public let stages: [MigrationStage]
    private let mappings: [ModelMapping]

    /// Creates a plan from versions and stages, and checks that they match.
    ///
    /// - Parameters:
    ///   - versions: The model versions, oldest first; at least one.
    ///   - stages: One stage from each version to the next, in any order of the array.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a stage is missing, two
    ///   stages are for the same versions, or a stage names an unknown version or entity; with code
    ///   ``PersistenceError/Code/incompatibleModel`` if the changes between two versions cannot be inferred.
    public init(_ versions: [ModelVersion], stages: [MigrationStage]) throws {
        guard !versions.isEmpty else { throw Self.invalid("the plan has no versions") }
        var numbers: [String: Int] = [:]
        for (number, version) in versions.enumerated() {
            guard numbers.updateValue(number, forKey: version.name) == nil else {
                throw Self.invalid("two versions have the name “\(version.name)”")
            }
        }
        var ordered: [Int: MigrationStage] = [:]
        for stage in stages {
            for name in [stage.from, stage.to] where numbers[name] == nil {
                throw Self.invalid("there is no version “\(name)”")
            }
            guard let from = numbers[stage.from], numbers[stage.to] == from + 1 else {
                throw Self.invalid(
                    "the stage from “\(stage.from)” to “\(stage.to)” does not end with the next version; no version "
                        + "can be skipped"
                )
            }
            guard ordered.updateValue(stage, forKey: from) == nil else {
                throw Self.invalid("two stages lead from “\(stage.from)” to “\(stage.to)”")
            }
        }
        for number in versions.indices.dropLast() where ordered[number] == nil {
            throw Self.invalid("no stage leads from “\(versions[number].name)” to “\(versions[number + 1].name)”")
        }
        self.versions = versions
        self.stages = versions.indices.dropLast().compactMap { ordered[$0] }
        mappings = zip(versions, versions.dropFirst()).map { ModelMapping(from: $0.model, to: $1.model) }
        for (stage, mapping) in zip(self.stages, mappings) { try Self.check(stage, mapping) }
    }

    private static func invalid(_ message: String) -> PersistenceError {
        PersistenceError(.invalidRequest, "the migration plan: \(message)")
    }

    /// Checks that a stage fits the inferred mapping between its two models.
    private static func check(_ stage: MigrationStage, _ mapping: ModelMapping) throws {
        guard !mapping.steps.isEmpty || !stage.hasCode else {
            throw invalid(
                "the models of “\(stage.from)” and “\(stage.to)” are the same, so that the code of the stage would never "
                    + "run: a store does not say which of the two it has; declare what differs, such as renamed values")
        }
        var made: Set<String> = []
        for transform in stage.transforms {
            let name = transform.entity
            guard let found = mapping.entity(named: name) else {
                throw invalid(
                    "version “\(stage.to)” has no entity “\(name)”"
                        + NearestName.suggestion(for: name, among: mapping.entities.map(\.entity.name)))
            }
            guard !found.isNew else {
                throw invalid(
                    "“\(name)” is new in version “\(stage.to)” and has no old rows that a transform could convert; "
                        + "insert its rows at the end of the stage")
            }
            guard made.insert(name).inserted else { throw invalid("two transforms make the rows of “\(name)”") }
        }
        let obstacles = mapping.obstaclesByEntity.filter { !made.contains($0.entity) }.map(\.message)
        guard obstacles.isEmpty else {
            throw PersistenceError(
                .incompatibleModel,
                "the migration plan: the stage from “\(stage.from)” to “\(stage.to)” cannot be inferred:\n  "
                    + obstacles.joined(separator: "\n  "))
        }
    }

    // MARK: The way

    /// Returns the index of the version whose rows have the format of a model, or `nil` if there is none.
    ///
    /// Of several such versions, the method returns the one with the fewest migration steps to the model, or the newest
    /// of these. Computed attributes are ignored, because a version from a file computes none.
    func version(of model: ManagedObjectModel) -> Int? {
        let mappings = versions.map { ModelMapping(from: model, to: $0.model) }
        let steps = mappings.map { $0.steps.filter { $0.kind != .compute } }
        let fitting = mappings.indices.filter { number in
            mappings[number].obstacles.isEmpty && !steps[number].contains(where: \.isPhysical)
        }
        return fitting.reversed().min { steps[$0].count < steps[$1].count }
    }

    /// Returns the migration route from the model in a store to the newest version.
    ///
    /// - Parameters:
    ///   - stored: The model that is saved in the store.
    ///   - later: The model with which the store is opened; it must be the newest version.
    /// - Returns: The stages to run, one after another in the same transaction.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if `later` is not the newest
    ///   version; with code ``PersistenceError/Code/incompatibleModel`` if the store has none of the versions.
    func route(from stored: ManagedObjectModel, to later: ManagedObjectModel) throws -> MigrationRoute {
        guard version(of: later) == versions.count - 1 else {
            throw Self.invalid(
                "the store is opened with a model that is not its newest version, “\(versions[versions.count - 1].name)”"
            )
        }
        guard let first = version(of: stored) else {
            let near = versions.map { ModelMapping(from: stored, to: $0.model).steps.filter(\.isPhysical) }
            let best = near.indices.min { near[$0].count < near[$1].count } ?? 0
            var error = Self.invalid(
                "the store has none of the plan's versions; the nearest is “\(versions[best].name)”, which would "
                    + "require:\n  "
                    + near[best].map(\.description).joined(separator: "\n  "))
            error.code = .incompatibleModel
            throw error
        }
        var route: [MigrationRoute.Stage] = []
        for number in first..<stages.count {
            var mapping = mappings[number]
            // The first stage begins with the model of the store, and the last stage ends with the model of the caller.
            // Both models may differ from the versions of the plan in details that need no change of rows.
            let (isFirst, isLast) = (number == first, number == stages.count - 1)
            if isFirst || isLast {
                mapping = ModelMapping(
                    from: isFirst ? stored : mapping.source, to: isLast ? later : mapping.destination)
            }
            route.append(stages[number].route(mapping))
        }
        return MigrationRoute(route)
    }
}

extension MigrationStage {
    fileprivate func route(_ mapping: ModelMapping) -> MigrationRoute.Stage {
        var bodies: [String: RowTransform] = [:]
        for transform in transforms { bodies[transform.entity] = transform.rows(mapping) }
        var last: (@Sendable (any StageRows) throws -> Void)?
        if let finish { last = { rows in try finish(MigratingRows(rows)) } }
        return MigrationRoute.Stage(mapping: mapping, drops: drops, transforms: bodies, finish: last)
    }
}

extension EntityTransform {
    /// Returns the transform as a function of stored values, which does not look up names.
    fileprivate func rows(_ mapping: ModelMapping) -> RowTransform {
        let source = mapping.entity(named: entity)?.source?.name ?? entity
        let (later, earlier, name, body) = (mapping.destination, mapping.source, entity, body)
        return { rows in
            let (oldEntity, newEntity) = (try earlier.dynamicEntity(source), try later.dynamicEntity(name))
            let rows = MigratingRows(rows)
            return { old, values in
                let before: DynamicRecord
                do { before = try DynamicRecord(oldEntity, old) } catch var error as PersistenceError {
                    error.id = old.id
                    throw error
                }
                // No other variable references the values meanwhile. Otherwise a write to one value would copy all of
                // them.
                var after = DynamicRecord(id: before.id, of: newEntity, fitting: take(&values))
                guard try body(before, &after, rows) == .keep else { return false }
                values = after.values
                return true
            }
        }
    }
}

/// Moves an array out of a variable, so that no other variable references its storage.
private func take(_ values: inout [StoredValue]) -> [StoredValue] {
    defer { values = [] }
    return values
}
