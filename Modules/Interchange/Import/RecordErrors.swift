import StrataCore
import StrataStoreKit

/// The conversion of a store's errors about records to messages with the names of the file.
///
/// A store reports rows, attributes and identifiers. A message for the owner of the file needs lines, columns and keys
/// instead. Placeholders must never occur in a message.
struct RecordErrors {
    /// The dataset's name.
    let source: String
    let shape: DatasetShape
    let resolver: KeyResolver
    /// The join table whose join rows the dataset contains; `nil` for a dataset of an entity.
    let join: JoinDescription?

    /// Converts an error of a row to an error with the location in the file.
    ///
    /// - Parameters:
    ///   - error: The store's error.
    ///   - location: The location of the record.
    ///   - names: The names of the attributes in the file.
    ///   - writer: The writer of the transaction, if it continues.
    /// - Returns: The error.
    /// - Throws: The errors of looking up an object's name.
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

    /// Returns a Boolean value that indicates whether an error is about a dangling reference.
    ///
    /// The result is `false` if the object exists but another row already owns it.
    func isMissingReference(_ error: PersistenceError) -> Bool {
        error.code == .danglingReference && refusal(of: error) == nil
    }

    /// Returns the error why a reference to an existing object could not be set.
    private func refusal(of error: PersistenceError) -> PersistenceError? {
        placeholder(of: error).flatMap(resolver.refusal(ofPlaceholder:))
    }

    /// Returns the placeholder in a dangling reference.
    private func placeholder(of error: PersistenceError) -> Int64? {
        error.code == .danglingReference ? error.value.flatMap { Int64($0) } : nil
    }

    /// Returns the values of an error, with placeholders replaced by descriptions of their objects.
    private func described(_ value: String) -> String {
        value.split(separator: ", ").map { part in
            Int64(part).flatMap(resolver.value(ofPlaceholder:))?.description ?? String(part)
        }.joined(separator: ", ")
    }

    /// Returns the attributes of an error; for a join row the missing end, or both ends if it is a duplicate.
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

    /// Returns the names of an attribute's columns in the file.
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
            // An identifier that does not occur in the files is not helpful; the location of the record is sufficient.
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

    /// Returns the message for a missing object, with the key by which the file references it.
    private func missing(_ error: PersistenceError, _ attribute: String?, in writer: BatchWriter?) throws -> String {
        if let id = placeholder(of: error), let key = key(of: attribute),
            let name = try resolver.name(ofLeftOut: id, by: key, in: writer)
        {
            return "there is no \(name.description): its record was rejected"
        }
        let named = placeholder(of: error).flatMap(resolver.value(ofPlaceholder:))
        let object = named?.description ?? "\(destination(error)) \(error.value ?? "")"
        return "there is no \(object), neither in the store nor in this import"
    }

    /// Returns the key by which the file references in an attribute; `nil` for an identifier.
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
