import StrataCore

/// What a store finds wrong with the records of one dataset, in the words of its file.
struct RecordErrors {
    /// The dataset's name.
    let source: String
    let shape: DatasetShape
    let resolver: KeyResolver
    /// The join table whose pairs the dataset holds, where it is no entity's.
    let join: JoinDescription?

    /// A row's error as one that names the place in the file.
    ///
    /// - Parameters:
    ///   - error: The store's error.
    ///   - location: Where the record stands.
    ///   - names: The names the attributes have in the file.
    ///   - writer: The writer of the transaction, where it goes on.
    /// - Returns: The error.
    /// - Throws: What looking for an object's name throws.
    func located(
        _ error: PersistenceError, _ location: RowLocation, names: [String: String], in writer: BatchWriter?
    ) throws -> InterchangeError {
        let attributes = error.failures.first.map { [$0.attribute] } ?? attributes(of: error)
        let meant = refusal(of: error) ?? error
        let columns = attributes.map { columnName($0, names) }
        var located = InterchangeError(
            meant.code == .uniqueness ? .conflict : .invalidValue, source: source, line: location.line,
            record: location.record, column: columns.isEmpty ? nil : columns.joined(separator: ", "),
            message: try message(meant, attribute: attributes.first, in: writer))
        located.add(
            meant.failures.dropFirst().map {
                RecordProblem(column: columnName($0.attribute, names), message: RowDecoding.message($0))
            })
        return located
    }

    /// Whether an error is that something leads nowhere, and not that it leads to what is another's.
    func isMissingReference(_ error: PersistenceError) -> Bool {
        error.code == .danglingReference && refusal(of: error) == nil
    }

    /// Why a reference could not lead to what came.
    private func refusal(of error: PersistenceError) -> PersistenceError? {
        standIn(of: error).flatMap(resolver.refusal(ofStandIn:))
    }

    /// What stands for the object to which a reference leads that leads nowhere.
    private func standIn(of error: PersistenceError) -> Int64? {
        error.code == .danglingReference ? error.value.flatMap { Int64($0) } : nil
    }

    /// The values of an error, where a number stands for an object what names that.
    private func described(_ value: String) -> String {
        value.split(separator: ", ").map { part in
            Int64(part).flatMap(resolver.value(ofStandIn:))?.description ?? String(part)
        }.joined(separator: ", ")
    }

    /// The attributes that an error names; of a pair the end that is missing, or both where there is another one like it.
    private func attributes(of error: PersistenceError) -> [String] {
        guard let join else { return error.attributes }
        switch error.code {
        case .uniqueness:
            return join.isLinkOfSource || join.linkTable == nil ? ["source", "target"] : ["target", "source"]
        case .danglingReference where join.linkTable != nil:
            let isTarget = error.entity == join.sourceEntity && error.attribute == join.sourceRelationship
            return [isTarget ? "target" : "source"]
        default: return error.attributes
        }
    }

    /// What the file calls the columns of an attribute.
    private func columnName(_ attribute: String, _ names: [String: String]) -> String {
        let external = shape.external
        return shape.externalAttributes(of: attribute).map { name in
            names[name] ?? external.columnIndex(name).map { external.columns[$0].externalName } ?? name
        }.joined(separator: ", ")
    }

    private func message(_ error: PersistenceError, attribute: String?, in writer: BatchWriter?) throws -> String {
        if let failure = error.failures.first { return RowDecoding.message(failure) }
        let value = error.value.map { " (\(shape.isPlain ? $0 : described($0)))" } ?? ""
        switch error.code {
        case .danglingReference: return try missing(error, attribute, in: writer)
        default:
            // A number that files do not have says nothing: the place of the record does.
            var isFirst = true
            let message =
                shape.entity.external.idColumn != nil
                ? error.message
                : error.message(naming: { _ in
                    defer { isFirst = false }
                    return isFirst ? "" : "another object"
                })
            return message.replacingTypographicQuotes + value
        }
    }

    /// What is not there, by the key by which the file refers to it.
    private func missing(_ error: PersistenceError, _ attribute: String?, in writer: BatchWriter?) throws -> String {
        if let id = standIn(of: error), let key = key(of: attribute),
            let name = try resolver.name(ofLeftOut: id, by: key, in: writer)
        {
            return "there is no \(name.description): its record was left out"
        }
        let named = standIn(of: error).flatMap(resolver.value(ofStandIn:))
        let object = named?.description ?? "\(destination(error)) \(error.value ?? "")"
        return "there is no \(object), neither in the store nor in this import"
    }

    /// By what the file refers in an attribute; `nil` where that is an identifier.
    private func key(of attribute: String?) -> ReferenceKey? {
        shape.references.first { shape.entity.columns[$0.column].name == attribute }?.key
            ?? shape.lists.first { shape.external.columns[$0.source].name == attribute }?.key
    }

    private func destination(_ error: PersistenceError) -> String {
        let entity = shape.entity
        if let column = error.attribute.flatMap(entity.columnIndex), let name = entity.columns[column].destination {
            return name
        }
        if let list = shape.lists.first(where: { shape.external.columns[$0.source].name == error.attribute }) {
            return list.destination
        }
        return (error.attribute == join?.sourceRelationship ? join?.targetEntity : join?.sourceEntity) ?? "object"
    }
}
