import StrataCore

/// The names of a descriptor's properties: the standard's, and our own behind `strata:`.
enum DescriptorWords {
    /// The newest version of our properties.
    static let version: Int64 = 2
    /// The version without `strata:order`, which earlier programs read.
    static let versionWithoutOrder: Int64 = 1
    static let schema = "https://datapackage.org/profiles/2.0/datapackage.json"

    /// What the standard knows and a model has no use for.
    private static let metadata = [
        "$schema", "title", "description", "homepage", "sources", "licenses", "contributors", "keywords", "image",
        "created", "version", "id", "profile", "name",
    ]

    static let package = metadata + ["resources", "strata:version"]
    static let resource =
        metadata + [
            "path", "url", "data", "type", "format", "mediatype", "encoding", "bytes", "hash", "dialect", "schema",
            "compression",
            "strata:name", "strata:ids", "strata:order", "strata:indexes", "strata:links", "strata:pairs",
            "strata:properties",
            "strata:renamedFrom", "strata:computationVersion",
        ]
    /// What a dialect says of tables, and of documents.
    static let tableDialect = [
        "delimiter", "lineTerminator", "quoteChar", "doubleQuote", "escapeChar", "header", "headerRows", "headerJoin",
        "commentChar", "commentRows", "nullSequence", "skipInitialSpace", "caseSensitiveHeader", "csvddfVersion",
    ]
    static let documentDialect = ["property", "itemType", "itemKeys"]
    static let dialect =
        ["$schema", "name", "title", "description", "type", "sheetName", "sheetNumber", "table"] + tableDialect
        + documentDialect
    static let schemaProperties = [
        "$schema", "title", "description", "name", "fields", "fieldsMatch", "missingValues", "primaryKey", "uniqueKeys",
        "foreignKeys",
    ]
    static let field = [
        "name", "type", "format", "title", "description", "example", "constraints", "rdfType", "categories",
        "categoriesOrdered", "missingValues", "trueValues", "falseValues", "bareNumber", "decimalChar", "groupChar",
        "delimiter", "itemType", "strata:name", "strata:type", "strata:scale", "strata:default", "strata:indexed",
        "strata:constant", "strata:domain", "strata:rules", "strata:fewestDigits", "strata:format",
        "strata:renamedFrom",
        "strata:renamedValues",
    ]
    static let constraints = [
        "required", "unique", "minimum", "maximum", "minLength", "maxLength", "pattern", "exclusiveMinimum",
        "exclusiveMaximum", "enum", "jsonSchema",
    ]
    static let foreignKey = [
        "fields", "reference", "strata:name", "strata:inverse", "strata:deleteRule", "strata:inverseDeleteRule",
        "strata:inverseOptional", "strata:ordered", "strata:minimumCount", "strata:maximumCount", "strata:renamedFrom",
        "strata:inverseRenamedFrom",
    ]
    static let reference = ["resource", "fields", "package", "datapackage"]
    static let link = [
        "name", "resource", "inverse", "deleteRule", "inverseDeleteRule", "optional", "inverseOptional", "ordered",
        "inverseOrdered", "minimumCount", "maximumCount", "inverseMinimumCount", "inverseMaximumCount", "through",
        "position", "inversePosition", "field", "key", "renamedFrom", "inverseRenamedFrom",
    ]
    static let rule = [
        "minimum", "maximum", "greaterThan", "lessThan", "oneOf", "minimumLength", "maximumLength", "pattern",
    ]

    /// What is often written a level too high, with the object that it stands in.
    private static let homes: [(names: [String], home: String)] = [
        (["fields", "fieldsMatch", "missingValues", "primaryKey", "uniqueKeys", "foreignKeys"], "the schema"),
        (constraints, "the field's constraints"),
        (tableDialect + documentDialect, "the resource's dialect"),
        (["resource", "package"], "the foreign key's reference"),
    ]

    /// Where a name would be understood, or the one that was meant: published descriptors have keys beside the schema and `required` beside the
    /// constraints, and tools that read over them check nothing.
    ///
    /// - Parameters:
    ///   - name: A name that is not understood.
    ///   - known: The names that are, where it stands.
    /// - Returns: The end of a message; empty where there is nothing to say.
    static func suggestion(for name: String, among known: [String]) -> String {
        let near = NearestName.suggestion(for: name, among: known)
        guard near.isEmpty else { return near }
        if let home = homes.first(where: { $0.names.contains(name) })?.home { return "; it stands in \(home)" }
        for (names, home) in homes {
            if let meant = NearestName.of(name, among: names) { return "; did you mean \(meant), in \(home)?" }
        }
        return ""
    }

    /// What other tools call the standard's types.
    static let typesElsewhere = [
        "text": "string", "varchar": "string", "char": "string", "character": "string", "str": "string",
        "uuid": "string", "float": "number", "double": "number", "decimal": "number", "numeric": "number",
        "real": "number", "long": "integer", "bigint": "integer", "int64": "integer", "smallint": "integer",
        "timestamp": "datetime", "json": "object", "dict": "object", "bit": "boolean", "logical": "boolean",
    ]
}
