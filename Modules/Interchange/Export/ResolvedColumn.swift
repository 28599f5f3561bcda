import StrataCore

/// An exported column whose path was resolved to properties of the model.
///
/// Columns are resolved once for each export, before the first row is read, so all errors in paths are found before
/// bytes are written.
struct ResolvedColumn {
    /// The value at the end of a column's path.
    enum Value: Sendable {
        case id
        case column(Int, AttributeType)
        /// The list of all targets of a many-to-many relationship.
        case list(ListedPairs)
    }

    private(set) var name: String
    /// The path of the column, with the property names of the model.
    let source: String
    /// The to-one relationships on the path, each with its column index and its destination entity.
    let steps: [Step]
    let value: Value
    /// A Boolean value that indicates whether the column is a part of the key by which files reference a row.
    ///
    /// If it is `true` and the row has the reference, the value must not be null.
    private(set) var isKey = false

    /// A to-one relationship on the path of a column.
    struct Step: Hashable {
        let column: Int
        let destination: String
    }

    /// Returns the selected columns of an entity, or all its columns if none are selected.
    ///
    /// With names of files, one requested column may become several, for a reference of several columns.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` if a path does not exist in the model or a name is repeated.
    static func resolve(
        _ columns: [ExportColumn]?, _ entity: EntityDescription, in model: ManagedObjectModel
    ) throws -> [ResolvedColumn] {
        guard let columns else { return try all(of: entity, in: model) }
        guard !columns.isEmpty else { throw InterchangeError(.columns, message: "no columns were requested") }
        let resolved = try columns.flatMap { column in
            guard !column.name.isEmpty else {
                throw InterchangeError(.columns, message: "the column \(column.source) has no name")
            }
            return switch column.names {
            case .model: [try ResolvedColumn(column, entity: entity, model: model)]
            case .files: try named(column, entity, in: model)
            }
        }
        var names: Set<String> = []
        for column in resolved where !names.insert(column.name).inserted {
            throw InterchangeError(.columns, message: "two columns have the name \(PrintableText.quoted(column.name))")
        }
        return resolved
    }

    /// Returns the columns for a path with names of files: one column, or all columns of a reference.
    private static func named(
        _ column: ExportColumn, _ entity: EntityDescription, in model: ManagedObjectModel
    ) throws -> [ResolvedColumn] {
        let all = try all(of: entity, in: model)
        // A name in a file may contain points.
        func whole(_ name: String) -> ResolvedColumn? { all.first { $0.name.utf8.elementsEqual(name.utf8) } }
        func renamed(_ found: ResolvedColumn) -> ResolvedColumn {
            var found = found
            if column.name != column.source { found.name = column.name }
            return found
        }
        let steps = column.source.splitOutsideBackticks(at: ".")
        let isQuoted = steps.count == 1 && steps[0].isQuoted
        let isRowNumber = column.source == FileName.rowNumber && entity.external.idColumn == nil
        if !isRowNumber, let found = whole(isQuoted ? steps[0].text : column.source) { return [renamed(found)] }
        var (path, here): ([String], EntityDescription) = ([], entity)
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            switch model.meaning(ofFileName: step.text, isQuoted: step.isQuoted, in: here, isLast: isLast) {
            case .path(let names):
                path += names
                // A name of the model has the same meaning as the name of its column in files.
                if steps.count == 1, let found = all.first(where: { $0.source == names.joined(separator: ".") }) {
                    return [renamed(found)]
                }
            case .columns(let names) where steps.count == 1: return names.compactMap(whole)
            case .columns(let names):
                let list = names.map(PrintableText.quoted).joined(separator: ", ")
                throw InterchangeError(
                    .columns, message: "\(PrintableText.quoted(step.text)) is stored in several columns; use \(list)")
            case nil:
                throw unknown(step.text, among: model.fileNames(of: here), of: here, !isLast, path: column.source)
            }
            guard !isLast, let relationship = path.last.flatMap({ here.relationship(named: $0) }) else { continue }
            here = try model.entity(named: relationship.destination)
        }
        let name = column.name == column.source ? steps.map(\.text).joined(separator: ".") : column.name
        let source = path.joined(separator: ".")
        return [try ResolvedColumn(ExportColumn(source, as: name), entity: entity, model: model)]
    }

    /// Returns all columns of the dataset of an entity.
    static func all(of entity: EntityDescription, in model: ManagedObjectModel) throws -> [ResolvedColumn] {
        try model.externalColumns(of: entity).map { column in
            switch column.content {
            case .identifier: return ResolvedColumn(column.name, source: "id", .id)
            case .column(let index):
                return ResolvedColumn(column.name, source: column.path, .column(index, column.type))
            case .key, .list:
                var resolved = try ResolvedColumn(
                    ExportColumn(column.path, as: column.name), entity: entity, model: model)
                resolved.isKey = !resolved.steps.isEmpty
                return resolved
            }
        }
    }

    /// Returns the identifier and the columns of an entity whose dataset references other rows only by identifiers.
    static func ownColumns(of entity: EntityDescription) -> [ResolvedColumn] {
        let id = entity.external.idColumn.map { ResolvedColumn($0, source: "id", .id) }
        return (id.map { [$0] } ?? [])
            + entity.shownColumns.map { index in
                let column = entity.columns[index]
                return ResolvedColumn(column.externalName, source: column.name, .column(index, column.type))
            }
    }

    /// Returns the spelling of each column, or `nil` for the default; the result is empty if all have the default
    /// spelling.
    static func spellings(
        _ columns: [ResolvedColumn], _ entity: EntityDescription, _ options: ExportOptions
    ) throws(InterchangeError) -> [WrittenSpelling?] {
        let missingValues = options.missingValues[entity.name] ?? [:]
        var spellings: [WrittenSpelling?] = []
        for column in columns {
            var said: ExternalSpelling?
            var type = AttributeType.string
            var format: TextFormat?
            if case .column(let index, _) = column.value, column.steps.isEmpty {
                said = entity.columns[index].attribute?.spelling
                type = entity.columns[index].type
                format = entity.columns[index].attribute?.domain?.format
                if let texts = missingValues[entity.columns[index].name] { said?.missingValues = texts }
            }
            let isIdentifier = if case .id = column.value { column.steps.isEmpty } else { false }
            spellings.append(
                isIdentifier
                    ? nil
                    : try WrittenSpelling(
                        said, of: type, missingValues: entity.external.missingValues, format: format))
        }
        return spellings.contains { $0 != nil } ? spellings : []
    }

    /// A Boolean value that indicates whether the value of the column is in other rows than the exported row.
    var isRelated: Bool { if case .list = value { true } else { !steps.isEmpty } }

    private init(_ name: String, source: String, _ value: Value) {
        self.name = name
        self.source = source
        steps = []
        self.value = value
    }

    private init(_ column: ExportColumn, entity: EntityDescription, model: ManagedObjectModel) throws {
        name = column.name
        source = column.source
        var entity = entity
        var steps: [Step] = []
        var parts = column.source.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let last = parts.removeLast()
        for part in parts {
            guard let index = entity.columnIndex(part), let destination = entity.columns[index].destination else {
                throw Self.unknown(part, entity: entity, relationshipsOnly: true, path: column.source)
            }
            steps.append(Step(column: index, destination: destination))
            entity = try model.entity(named: destination)
        }
        self.steps = steps
        if last == "id" {
            value = .id
        } else if let index = entity.shownColumnIndex(last) {
            value = .column(index, entity.columns[index].type)
        } else if steps.isEmpty, let listed = ListedPairs(last, of: entity, in: model, source: 0) {
            value = .list(listed)
        } else {
            throw Self.unknown(last, entity: entity, relationshipsOnly: false, path: column.source)
        }
    }

    private static func unknown(
        _ part: String, entity: EntityDescription, relationshipsOnly: Bool, path: String
    ) -> InterchangeError {
        let known =
            relationshipsOnly
            ? entity.columns.filter { $0.destination != nil }.map(\.name)
            : ["id"] + entity.shownColumns.map { entity.columns[$0].name }
        return unknown(part, among: known, of: entity, relationshipsOnly, path: path)
    }

    private static func unknown(
        _ part: String, among known: [String], of entity: EntityDescription, _ relationshipsOnly: Bool, path: String
    ) -> InterchangeError {
        let nearest = NameMatching.nearest(to: part, among: known).map { " (did you mean \($0)?)" } ?? ""
        let what = relationshipsOnly ? "to-one relationship" : "attribute or to-one relationship"
        let place = part == path ? "" : " of the path \(PrintableText.quoted(path))"
        return InterchangeError(
            .columns, message: "\(entity.name) has no \(what) \(PrintableText.quoted(part))\(place)\(nearest)")
    }
}
