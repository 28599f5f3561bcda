import StrataCore
import StrataStoreKit

/// The statements of stages in which user code creates rows; until that code has finished, the old tables exist in
/// addition to the new ones.
extension SQLMigration {
    /// Plans the statements that create the new tables, while the old tables have temporary names.
    mutating func planStaged(_ transformed: Set<String>, finishes: Bool) {
        let same = Set(mapping.entities.filter { isSame($0, transformed) }.map(\.entity.name))
        setAside(but: same)
        for mapping in mapping.entities where !same.contains(mapping.entity.name) {
            run(new.creation(of: TableDescription(mapping.entity, in: self.mapping.destination)))
        }
        for mapping in mapping.entities where !same.contains(mapping.entity.name) {
            if !transformed.contains(mapping.entity.name) { fill(mapping.entity.name, mapping) }
        }
        for join in mapping.joins where !isSame(join) {
            run(new.creation(of: TableDescription(join.join)))
            fill(join)
        }
        statements.append(.setAside(names))
        for mapping in mapping.entities where transformed.contains(mapping.entity.name) {
            statements.append(.transform(mapping))
        }
        dropPairs(of: transformed)
        if finishes { statements.append(.finish) }
        let sameTables = same.union(mapping.joins.filter(isSame).map(\.join.name))
        for table in mapping.source.tables where !sameTables.contains(table.name) {
            run("DROP TABLE \(current(table.name))")
        }
        statements.append(.keepsReferences(false))
        index(same)
    }

    /// Plans the deletion of the join rows whose source or target row was dropped by the user code.
    ///
    /// If the user code itself created a join row for a row that does not exist, the final check throws an error.
    private mutating func dropPairs(of transformed: Set<String>) {
        for mapping in mapping.entities where transformed.contains(mapping.entity.name) {
            guard let source = mapping.source else { continue }
            for join in self.mapping.joins.map(\.join) {
                let ends = [
                    (join.sourceEntity, SQLLayout.sourceColumn), (join.targetEntity, SQLLayout.targetColumn),
                ]
                for (entity, column) in ends where entity == mapping.entity.name {
                    run(
                        "DELETE FROM \(SQLLayout.quoted(join.name)) WHERE \(column) IN (SELECT \(identifier(of: mapping)) FROM \(current(source.name)) t) "
                            + "AND \(column) NOT IN (SELECT \(new.idColumn) FROM \(new.table(entity)))")
                }
            }
        }
    }

    /// Returns a Boolean value that indicates whether an entity's table remains unchanged, apart from its indexes.
    private func isSame(_ mapping: EntityMapping, _ transformed: Set<String>) -> Bool {
        guard let source = mapping.source, source.name == mapping.entity.name,
            !transformed.contains(mapping.entity.name), !renumbers(mapping)
        else { return false }
        return Set(TableDescription(source, in: self.mapping.source).columns)
            == Set(TableDescription(mapping.entity, in: self.mapping.destination).columns)
    }

    private func isSame(_ join: JoinMapping) -> Bool { keptSource(of: join)?.name == join.join.name }

    /// Gives old tables temporary names; afterward, references to their original names refer to the new tables.
    private mutating func setAside(but same: Set<String>) {
        statements.append(.keepsReferences(true))
        let sameJoins = Set(mapping.joins.filter(isSame).map(\.join.name))
        let later = Set(mapping.destination.tables.map { $0.name.lowercased() })
        for table in mapping.source.tables where !same.contains(table.name) && !sameJoins.contains(table.name) {
            // The other indexes remain for the code's queries.
            dropIndexes(table.indexes.filter { later.contains($0.name.lowercased()) }, but: [])
            let name = scratchName()
            rename(table.name, to: name)
            names[table.name] = name
        }
        for table in mapping.source.tables where same.contains(table.name) {
            let now = mapping.destination.tables.first { $0.name == table.name }
            dropIndexes(table.indexes, but: Set((now?.indexes ?? []).filter(table.indexes.contains).map(\.name)))
        }
    }

    private mutating func index(_ same: Set<String>) {
        for table in mapping.destination.tables {
            let before = mapping.source.tables.first { $0.name == table.name }
            let isKept =
                same.contains(table.name) || mapping.joins.contains { $0.join.name == table.name && isSame($0) }
            create(table.indexes.filter { !(isKept && before?.indexes.contains($0) == true) }, on: table)
        }
    }
}
