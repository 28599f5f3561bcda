import StrataCore

/// A writer of the declarations of one entity.
struct EntityWriter {
    let entity: EntityDescription
    let names: EntityNames
    let types: ModelTypes
    let options: SwiftModelOptions
    /// The folder of the file: one of the two layers, or empty.
    var folder = ""

    private var isInDomain: Bool { folder == SwiftFile.domain }
    private var isInPersistence: Bool { folder == SwiftFile.persistence }

    /// The name of the record type.
    ///
    /// In the second layer, modules of Strata and Foundation could have types with the same names as record types.
    var recordType: String { isInPersistence ? "\(options.domainModule).\(names.type)" : names.type }

    /// The name of the protocol of the repository.
    var repositoryType: String {
        isInPersistence ? "\(options.domainModule).\(names.repository)" : names.repository
    }

    /// Returns the name of the record type of an entity.
    func record(_ entity: String) -> String {
        isInPersistence ? "\(options.domainModule).\(types.record(entity))" : types.record(entity)
    }

    /// Returns the name of a type of a library, with its module if a record type has the same name.
    func library(_ name: String) -> String { types.type(name, isInDomain: isInDomain) }

    /// The access level before a declaration, with a space; empty for internal declarations.
    var access: String { options.access == .internal ? "" : "\(options.access.rawValue) " }

    var values: SwiftValue { SwiftValue(library: library) }

    /// The properties of the record in the order of the columns.
    var columns: [ColumnDescription] { entity.shownColumns.map { entity.columns[$0] } }

    /// The relationships without a column, in declaration order.
    var links: [RelationshipDescription] { entity.relationships.filter { entity.columnIndex($0.name) == nil } }

    /// Returns the type of a column's property without `?`.
    func wrappedType(_ column: ColumnDescription) -> String {
        if let destination = column.destination { return "\(record(destination)).ID" }
        if let enumeration = names.enumerations[column.name] { return enumeration.type }
        return library(column.type.swiftName)
    }

    /// Returns the type of a column's property.
    func type(_ column: ColumnDescription) -> String { wrappedType(column) + (column.isOptional ? "?" : "") }

    /// Returns the type of a column's property outside of the record type.
    func outerType(_ column: ColumnDescription, isOptional: Bool) -> String {
        let isNested = names.enumerations[column.name] != nil
        return (isNested ? "\(recordType)." : "") + wrappedType(column) + (isOptional ? "?" : "")
    }

    /// Records the modules of the types of columns.
    func importTypes(_ columns: [ColumnDescription], _ file: inout SwiftFile) {
        if columns.contains(where: { $0.destination == nil && $0.type.isOfFoundation }) {
            file.needs("Foundation", isExposed: true)
        }
        if options.layers == .two,
            columns.contains(where: { $0.destination == nil && ($0.type == .day || $0.type == .timeOfDay) })
        {
            file.needs("StrataCore", isExposed: true)
        }
    }

    /// Returns the parameters of the initializer or of a method that creates a record, without the identifier.
    ///
    /// - Parameter isOutside: A Boolean value that indicates whether the method is outside of the record type.
    /// - Returns: The parameters with their types and default arguments.
    func parameters(isOutside: Bool) -> [String] {
        columns.map { column in
            let type = isOutside ? outerType(column, isOptional: column.isOptional) : type(column)
            let parameter = "\(names.parameter(column.name)): \(type)"
            guard let value = defaultArgument(column) else { return parameter }
            return "\(parameter) = \(value)"
        }
    }

    private func defaultArgument(_ column: ColumnDescription) -> String? {
        switch column.attribute?.defaultValue {
        case .now, .newUUID: return nil
        case .constant(let value):
            guard let value = value.converted(to: column.type) else { return nil }
            if let enumeration = names.enumerations[column.name], case .string(let text) = value {
                return enumeration.cases.first { Array($0.value.utf8) == Array(text.utf8) }
                    .map { ".\(SwiftKeywords.quoted($0.name))" }
            }
            return values.swift(value)
        case nil: return column.isOptional ? "nil" : nil
        }
    }

    /// Returns the arguments that pass all properties under their own names.
    func passed(_ value: (ColumnDescription) -> String) -> [SwiftExpression] {
        columns.map { .labeled(names.label($0.name), .text(value($0))) }
    }
}

extension AttributeType {
    /// The name of the Swift type that stores the values.
    var swiftName: String {
        switch self {
        case .string: "String"
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int"
        case .double: "Double"
        case .decimal: "Decimal"
        case .boolean: "Bool"
        case .date: "Date"
        case .day: "Day"
        case .timeOfDay: "TimeOfDay"
        case .uuid: "UUID"
        case .binary: "Data"
        }
    }

    /// A Boolean value that indicates whether the Swift type is a type of Foundation.
    var isOfFoundation: Bool { ["Data", "Date", "Decimal", "UUID"].contains(swiftName) }
}
