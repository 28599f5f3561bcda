import StrataCore

/// The names of a descriptor's properties: those of the Data Package standard, and additional ones that begin with
/// `strata:`.
///
/// Each list contains the names that are valid in one kind of object. A reader reports a name that is missing from the
/// list of its object, so a new property must be added here before it can be read. Names in the lists that have no
/// effect on a model, such as `title` of a package, are read without a finding.
enum DescriptorWords {
    /// The newest value of `strata:version`, the version of the additional properties.
    static let version: Int64 = 2
    /// The value of `strata:version` for a model without `strata:order`, which earlier programs can read.
    ///
    /// A program without support for `strata:order` would lose the order of rows, so it must reject a file with this
    /// property.
    static let versionWithoutOrder: Int64 = 1
    static let schema = "https://datapackage.org/profiles/2.0/datapackage.json"

    /// The names of the Data Package properties that do not affect a model.
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
    /// The names of the properties of a dialect for tables; another list contains those for JSON documents.
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
        "strata:constant", "strata:preservedAfterDeletion", "strata:domain", "strata:rules", "strata:fewestDigits",
        "strata:format",
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

    /// The names of properties that authors often write in a wrong object, and the name of the object that must contain
    /// them.
    private static let homes: [(names: [String], home: String)] = [
        (["fields", "fieldsMatch", "missingValues", "primaryKey", "uniqueKeys", "foreignKeys"], "the schema"),
        (constraints, "the field's constraints"),
        (tableDialect + documentDialect, "the resource's dialect"),
        (["resource", "package"], "the foreign key's reference"),
    ]

    /// Returns a suggestion for an unknown property name: a similar name, or the object in which the name is valid.
    ///
    /// Some published descriptors contain keys outside the schema, or `required` outside the constraints, where other
    /// tools ignore them without a message.
    ///
    /// - Parameters:
    ///   - name: The unknown name.
    ///   - known: The names of the properties that are valid at the location of the unknown one.
    /// - Returns: The text to append to an error message; empty if there is no suggestion.
    static func suggestion(for name: String, among known: [String]) -> String {
        let near = NearestName.suggestion(for: name, among: known)
        guard near.isEmpty else { return near }
        if let home = homes.first(where: { $0.names.contains(name) })?.home { return "; it belongs in \(home)" }
        for (names, home) in homes {
            if let meant = NearestName.of(name, among: names) { return "; did you mean \(meant), in \(home)?" }
        }
        return ""
    }

    /// The types of the Data Package standard, by the names that other tools use for them.
    static let typesElsewhere = [
        "text": "string", "varchar": "string", "char": "string", "character": "string", "str": "string",
        "uuid": "string", "float": "number", "double": "number", "decimal": "number", "numeric": "number",
        "real": "number", "long": "integer", "bigint": "integer", "int64": "integer", "smallint": "integer",
        "timestamp": "datetime", "json": "object", "dict": "object", "bit": "boolean", "logical": "boolean",
    ]
}
