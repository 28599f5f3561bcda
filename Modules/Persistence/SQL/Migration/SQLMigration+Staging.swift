import StrataCore

/// Stages in which somebody's code makes rows: the earlier tables stay beside the later ones until it is done.
extension SQLMigration {
    /// Makes the later tables beside the earlier ones, which have other names meanwhile.
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

    /// Drops the pairs of rows that the code has dropped; pairs that it made to what is not there are a mistake, which is found at the end.
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

    /// Whether a table stays as it is, but for its indexes.
    private func isSame(_ mapping: EntityMapping, _ transformed: Set<String>) -> Bool {
        guard let source = mapping.source, source.name == mapping.entity.name,
            !transformed.contains(mapping.entity.name), !renumbers(mapping)
        else { return false }
        return Set(TableDescription(source, in: self.mapping.source).columns)
            == Set(TableDescription(mapping.entity, in: self.mapping.destination).columns)
    }

    private func isSame(_ join: JoinMapping) -> Bool { keptSource(of: join)?.name == join.join.name }

    /// Gives earlier tables names of which nothing else is called; what refers to them refers to the later ones.
    private mutating func setAside(but same: Set<String>) {
        statements.append(.keepsReferences(true))
        let sameJoins = Set(mapping.joins.filter(isSame).map(\.join.name))
        let later = Set(mapping.destination.tables.map { $0.name.lowercased() })
        for table in mapping.source.tables where !same.contains(table.name) && !sameJoins.contains(table.name) {
            // The others serve whoever looks rows up.
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
