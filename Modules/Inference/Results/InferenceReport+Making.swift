import StrataCore
import StrataInterchange

extension InferenceReport {
    /// The maximum count of possible key columns that the report names for a dataset.
    private static let mostCandidates = 5

    /// Creates the report from the results; datasets that are only in a store are omitted.
    init(_ maker: DescriptorMaker, _ search: ReferenceSearch, model: ManagedObjectModel, isSample: Bool) {
        entities = maker.tables.indices.filter { !maker.tables[$0].isStored }.map { place in
            let table = maker.tables[place]
            let entity = model.entities.first { ($0.external.name ?? $0.name) == table.name }
            var found = Entity(
                name: entity?.name ?? table.name, source: table.sourceText, records: table.records,
                columns: table.columns.indices.map { column in
                    Column(
                        table.columns[column], maker.decisions[place][column], of: entity,
                        isOptional: !maker.isRequired(table.columns[column]))
                })
            if let key = maker.keys[place] {
                found.key = Key(columns: [table.columns[key.column].name], reason: key.reason)
            } else if maker.isPairs(place) {
                found.key = Key(
                    columns: table.columns.map(\.name),
                    reason: "contains only unique pairs of two references: a link between two entities"
                )
            }
            found.references = maker.references[place].map { reference in
                let other = maker.tables[reference.table]
                let key = maker.keys[reference.table].map { other.columns[$0.column].name } ?? "id"
                return Reference(
                    column: table.columns[reference.column].name, to: "\(other.name).\(key)", reason: reference.reason)
            }
            found.notes = Self.notes(table, maker, at: place, isSample: isSample) + search.notes[place]
            return found
        }
    }

    /// Returns the notes on a dataset that concern all of its columns.
    private static func notes(
        _ table: TableScan, _ maker: DescriptorMaker, at place: Int, isSample: Bool
    ) -> [String] {
        var notes: [String] = []
        if isSample { notes.append("inferred from only \(table.records) records: every column may be null") }
        if maker.keys[place] == nil, !maker.isPairs(place) {
            let candidates = table.columns.indices
                .filter { KeyChoice.isCandidate(table.columns[$0], maker.decisions[place][$0]) }
                .map { table.columns[$0].name }
            let part = maker.parts[table.name].flatMap { $0.position == nil ? nil : $0 }
            let shown = candidates.prefix(Self.mostCandidates).joined(separator: ", ")
            let more = candidates.count - Self.mostCandidates
            notes.append(
                part.map { "no key: \($0.column) and \($0.position ?? "") identify a record" }
                    ?? (candidates.isEmpty
                        ? "no key: Strata assigns identifiers"
                        : "no key: no column has the name of a key; unique columns are "
                            + "\(shown)\(more > 0 ? " and \(more) more" : ""): "
                            + "--key \(ShellWord.quoted("\(table.name).\(candidates[0])"))"))
        }
        if maker.isPairs(place) {
            notes.append(
                "join rows have no order of their own: they are written in the order of "
                    + "\(maker.tables[maker.references[place][0].table].name)"
            )
        }
        notes += table.namedColumns
        for (column, file) in table.missingColumns { notes.append("\(file) has no column \(column): null") }
        if table.rejects > 0 {
            notes.append("\(table.rejects) \(table.rejects == 1 ? "record is" : "records are") rejected with an error")
        }
        if let texts = table.missing.text, maker.missingWord(place) == nil {
            notes.append(
                "null is written as \(texts), which the model does not distinguish: use --null to choose what an "
                    + "export writes")
        }
        for column in table.columns {
            if let line = column.key.unwatchedLine {
                notes.append("\(column.name) was not considered as a key after line \(line): too many values")
            }
        }
        return notes
    }
}

extension InferenceReport.Column {
    /// Creates the report on a column from its statistics and the chosen type.
    init(_ scan: ColumnScan, _ decision: ColumnDecision, of entity: EntityDescription?, isOptional: Bool) {
        name = scan.name
        attribute =
            entity?.columns.first { $0.externalName == scan.name }?.name
            ?? (entity?.external.identifiers == .own ? scan.name : "id")
        type = decision.type
        optional = isOptional
        nulls = scan.nullCount
        values = scan.valueCount
        notes = decision.notes
        refused = scan.scan.witnesses
            .filter { $0.key.rawValue < decision.kind.rawValue }
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map {
                .init(
                    type: $0.key.name, line: $0.value.line, text: $0.value.text, written: $0.value.written,
                    cells: scan.scan.misses($0.key))
            }
        guard scan.given == nil, let most = scan.scan.nearest, most.kind.rawValue < decision.kind.rawValue else {
            return
        }
        nearest = .init(
            type: most.type, line: most.witness.line, text: most.witness.text, written: most.witness.written,
            cells: most.misses)
    }
}
