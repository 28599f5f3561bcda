public import StrataPersistence
public import StrataStoreKit

extension MigrationPlan {
    /// Tests a plan with a store of every version, and returns the violations.
    ///
    /// For every version, the method creates and fills a store, migrates it to the newest version, and checks it. Then
    /// it compares the result with the migration of the same rows in another kind of store.
    ///
    /// ```swift
    /// #expect(try plan.violations() == [])
    /// ```
    ///
    /// Rows are generated from the model's types and rules. Each row references the rows with the same number. If the
    /// code of a stage needs other rows, `fill` inserts them.
    ///
    /// The check covers these rules:
    ///
    /// - a store of each version can be migrated to the newest version, in memory and in a file
    /// - both migrations result in equal rows and join rows
    /// - the migrated file passes the same check as the command `strata check`
    ///
    /// The method creates one temporary folder per version, and removes it. It blocks the calling thread. Call it in a
    /// test that may take some time if `fill` inserts many rows.
    ///
    /// - Parameter fill: A closure that fills a store of a version; `nil` generates the rows.
    /// - Returns: The violations, one sentence each; empty if there are none.
    /// - Throws: The error of `fill`, or of the file system if no temporary store can be created.
    public func violations(
        fill: ((_ version: ModelVersion, _ store: any PersistentStore) throws -> Void)? = nil
    ) throws -> [String] {
        var violations: [String] = []
        for version in versions {
            let prepared = InMemoryStore(model: version.model)
            if let fill { try fill(version, prepared) } else { violations += try Self.fill(prepared, version) }
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            let url = folder.file(TemporaryStack.fileName)
            let file = try SQLiteStore.open(at: url, model: version.model)
            try Self.copy(prepared, to: file)
            try file.close()
            var stores: [any PersistentStore] = []
            for var description in [PersistentStoreDescription.inMemory(copyOf: prepared), .sqlite(at: url)] {
                description.migrationPlan = self
                do {
                    stores.append(
                        try PersistentContainer(model: newest.model, description, mainQueue: .private).coordinator.store
                    )
                } catch {
                    violations.append("a store of version “\(version.name)” cannot be migrated: \(error)")
                    break
                }
            }
            guard stores.count == 2 else { continue }
            violations += try Self.differences(stores[0], stores[1]).map { "version “\(version.name)”: \($0)" }
            try stores[1].close()
            try PersistentContainer.check(model: newest.model, .sqlite(at: url)) { fault in
                violations.append("version “\(version.name)”: \(fault)")
            }
        }
        return violations
    }

    /// The newest version, to which stores are migrated.
    ///
    /// It is the last version of the plan.
    public var newest: ModelVersion { versions[versions.count - 1] }

    /// The number of rows that are generated for each entity.
    private static let rowCount = 5

    /// Fills a store with rows that reference the rows with the same number.
    ///
    /// - Returns: A violation for each entity whose rules allow no generated row, and one if the store rejects the
    ///   rows.
    private static func fill(_ store: InMemoryStore, _ version: ModelVersion) throws -> [String] {
        var changes = ChangeSet()
        var violations: [String] = []
        for entity in version.model.entities {
            let samples = SampleRows(entity)
            changes[entity.name].insertions = (0..<rowCount).compactMap { number in
                samples.row { _ in number }.map { ChangeSet.Insertion(id: Int64(number + 1), values: $0.values) }
            }
            if changes[entity.name].insertions.isEmpty {
                violations.append(
                    "version “\(version.name)”: no row of \(entity.name) can be made up; give some in “fill”")
            }
        }
        for join in version.model.joins {
            var pairs = JoinChanges()
            pairs.added = (1...Int64(rowCount)).map { JoinRow(JoinPair(source: $0, target: $0)) }
            changes.joins[join.name] = pairs
        }
        do { _ = try store.save(changes) } catch {
            violations.append(
                "version “\(version.name)”: the rows that are made up break its rules, give others in “fill”: \(error)")
        }
        return violations
    }

    /// Copies all rows with identifiers and versions, and all join rows, into an empty store in one save.
    private static func copy(_ source: any PersistentStore, to target: any PersistentStore) throws {
        var changes = ChangeSet()
        for entity in source.model.entities {
            changes[entity.name].insertions = try source.rows(StoreRequest(entity.name)).map {
                ChangeSet.Insertion(id: $0.id, values: $0.values, version: $0.version)
            }
        }
        for join in source.model.joins {
            var pairs = JoinChanges()
            pairs.added = try source.joins(JoinRequest(join.name))
            changes.joins[join.name] = pairs
        }
        _ = try target.save(changes)
    }

    /// Returns the differences between two stores of one model.
    private static func differences(_ first: any PersistentStore, _ second: any PersistentStore) throws -> [String] {
        var differences: [String] = []
        for entity in first.model.entities {
            let rows = try [first, second].map { try $0.rows(StoreRequest(entity.name)) }
            let isSame =
                rows[0].count == rows[1].count
                && zip(rows[0], rows[1]).allSatisfy { $0.id == $1.id && $0.values == $1.values }
            if !isSame { differences.append("the rows of \(entity.name) differ between stores") }
        }
        for join in first.model.joins {
            let pairs = try [first, second].map { try Set($0.joins(JoinRequest(join.name)).map(\.pair)) }
            if pairs[0] != pairs[1] { differences.append("the pairs of \(join.name) differ between stores") }
        }
        return differences
    }
}
