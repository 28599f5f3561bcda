public import StrataCore

/// A model in a file: a descriptor of the Data Package standard, version 2, with additional properties that begin with
/// `strata:`.
///
/// A descriptor without additional properties is a valid model, too. The page “A model in a file” of StrataModelFiles
/// describes each property.
///
/// ```swift
/// let file = try ModelFile(json: Array(text.utf8))
/// for finding in file.warnings { print(finding) }
/// let container = try PersistentContainer(model: file.model, .sqlite(at: url))
/// ```
///
/// Use a model file if people without Swift code define the model, or if a program must work with any model, such as an
/// importer. A program with its own record types derives the model from them, and writes a file only for other tools:
///
/// ```swift
/// let text = ModelFile.text(of: model)
/// ```
///
/// This type never accesses the file system: a caller passes the bytes of the descriptor, and a closure that returns
/// the bytes of separate files. A file contains no code. The rule of a Swift type is only a name in the file; pass the
/// rules themselves to the initializer.
///
/// A value is immutable, so any thread may use it.
///
/// ## Topics
///
/// ### Reading a model
///
/// - ``init(json:domains:numbers:layouts:isStrict:isKept:readsResources:schema:)``
/// - ``maximumByteCount``
/// - ``model``
/// - ``warnings``
/// - ``ModelFileFinding``
/// - ``ModelFileError``
///
/// ### Determining undefined properties from data
///
/// - ``openNumbers``
/// - ``openLayouts``
/// - ``UnspecifiedNumber``
/// - ``ResolvedNumber``
/// - ``SettledLayout``
///
/// ### Locating the rows of a data package
///
/// - ``resources``
/// - ``paths(json:)``
/// - ``DataResource``
///
/// ### Writing a model
///
/// - ``text(of:package:)``
/// - ``WrittenPackage``
///
/// ### Comparing models
///
/// - ``differences(from:to:)``
public struct ModelFile: Sendable {
    /// The maximum size of a model file in bytes: 16 MiB.
    ///
    /// The descriptor of 10,000 columns has a size of about 1 MiB. The limit also applies to each separate file with a
    /// schema or a dialect.
    public static let maximumByteCount = DescriptorText.maximumByteCount

    /// The model that the file contains.
    public let model: ManagedObjectModel
    /// The warnings about unknown and ignored parts of the file, and the notes, each with its location in the file.
    ///
    /// A file with warnings is a valid model, but the model may not be the intended one. Show the warnings to the
    /// author of the file. There are at most 100 warnings and 100 notes; if more warnings were found, one more warning
    /// contains the count of the others. One note lists the properties that the standard does not define. The list is
    /// never a reason to reject the file unless the reader is strict.
    public let warnings: [ModelFileFinding]
    /// The number attributes whose count of decimal places is neither in the file nor in the `numbers` of the caller.
    ///
    /// In the model, the type of these attributes is a double. Before a new store is created with the model, determine
    /// the types from the data. Then read the file again with the types as the argument `numbers`. For an existing
    /// store, ``ResolvedNumber/init(_:)`` returns the type that the store uses.
    public let openNumbers: [UnspecifiedNumber]
    /// The names of the entities for which neither the file nor the `layouts` of the caller define the order of rows.
    ///
    /// In the model, the rows of these entities are in the order of their identifiers, and the primary key in files is
    /// the identifier. Before a new store is created with the model, determine the layouts from the data. Then read the
    /// file again with the layouts as the argument `layouts`.
    public let openLayouts: [String]

    /// The locations and formats of the tables' rows, in the descriptor's order; empty unless the caller sets
    /// `readsResources`.
    ///
    /// The list also contains the tables of join rows. It does not contain tables that were skipped with a warning,
    /// such as those without a schema or with an unsupported format.
    public let resources: [DataResource]

    /// Reads a model from a descriptor.
    ///
    /// The initializer finds as many problems as possible before it returns, so that an author can correct them
    /// together. Any thread may call it. It calls `schema` on the same thread, once for each reference to a separate
    /// file, and blocks until it is done.
    ///
    /// - Parameters:
    ///   - json: The descriptor, in UTF-8, at most ``maximumByteCount`` bytes.
    ///   - domains: The rules of Swift types, by the types' names. If the rule of an attribute's Swift type is missing,
    ///     values of the attribute can be read, but not written. The rules of text formats, such as `email`, are built
    ///     in.
    ///   - numbers: The types of number attributes, as determined from data or a store, for attributes whose count of
    ///     decimal places is not in the file. Entries for other attributes are ignored.
    ///   - layouts: The layouts of entities by name, as determined from data or a store, for entities whose layout is
    ///     not in the file. An entity's earlier names are valid, too.
    ///   - isStrict: A Boolean value that indicates whether warnings are treated as errors. Notes are never errors.
    ///   - isKept: A Boolean value that indicates whether the descriptor is the model in a store's metadata. If so,
    ///     checks that later versions of Strata have added are skipped, so that existing stores can be opened, and a
    ///     model without tables is valid.
    ///   - readsResources: A Boolean value that indicates whether the locations and formats of the tables' rows are
    ///     read, too. If so, a table without them is an error. If not, a dialect causes a warning, because it is
    ///     ignored.
    ///   - schema: A closure that returns the bytes of a separate file with a schema or a dialect. Its argument is a
    ///     path relative to the model file, whose text does not leave the directory of that file; the closure must
    ///     check symbolic links. If the closure throws an error, the description of that error becomes a finding. If
    ///     `schema` is `nil`, a reference to a separate file results in an error.
    /// - Throws: ``ModelFileError`` with all errors and warnings if the descriptor is not a valid model, for example
    ///   because of a syntax error, a dangling reference between tables, an unsupported constraint, or a newer
    ///   `strata:version`.
    /// - Complexity: Linear in the count of bytes, and in the count of combinations of a reference with a table.
    public init(
        json: [UInt8], domains: [String: AttributeDomain] = [:], numbers: [UnspecifiedNumber: ResolvedNumber] = [:],
        layouts: [String: SettledLayout] = [:], isStrict: Bool = false, isKept: Bool = false,
        readsResources: Bool = false,
        schema: ((String) throws -> [UInt8])? = nil
    ) throws(ModelFileError) {
        guard json.count <= Self.maximumByteCount else {
            throw ModelFileError([
                ModelFileFinding(
                    .error, at: "",
                    "the file has more than \(Self.maximumByteCount) bytes, the maximum of a model file")
            ])
        }
        let document: JSONValue
        do throws(JSONSyntaxError) {
            document = try DescriptorText.tree(json)
        } catch {
            throw ModelFileError([ModelFileFinding(error, in: json)])
        }
        var reader = DescriptorReader(
            domains: domains, numbers: numbers, layouts: layouts, isKept: isKept, readsResources: readsResources,
            readSchema: schema)
        let model = reader.model(document)
        guard let model, !reader.findings.hasErrors, !isStrict || reader.findings.all.isEmpty else {
            throw ModelFileError(reader.findings.complete)
        }
        self.model = model
        resources = reader.resources
        warnings = reader.findings.remarks
        openNumbers = reader.openNumbers
        openLayouts = reader.openLayouts
    }

    /// Returns the paths of the tables' rows in a descriptor; for rows that the descriptor itself contains, the path is
    /// empty.
    ///
    /// Use this method to find out whether a JSON document is a data package with rows, before the model is read. The
    /// method reads only the syntax and the locations; it validates nothing else. A document without resources results
    /// in an empty list.
    ///
    /// - Parameter json: The descriptor, in UTF-8.
    /// - Returns: The paths of all resources, in the descriptor's order; a resource in several files has several paths.
    ///   They are not checked and may leave the descriptor's directory.
    /// - Throws: ``ModelFileError`` if the descriptor is not valid JSON.
    /// - Complexity: O(*n*) in the count of bytes.
    public static func paths(json: [UInt8]) throws(ModelFileError) -> [String] {
        let document: JSONValue
        do throws(JSONSyntaxError) {
            document = try DescriptorText.tree(json)
        } catch {
            throw ModelFileError([ModelFileFinding(error, in: json)])
        }
        guard case .array(let resources) = document["resources"]?.content else { return [] }
        return resources.flatMap { resource in
            switch (resource["path"] ?? resource["url"])?.content {
            case .string(let path): [path]
            case .array(let paths): paths.compactMap { if case .string(let path) = $0.content { path } else { nil } }
            default: resource["data"] == nil ? [] : [""]
            }
        }
    }

    /// Returns a model in which attributes with the keys of files are replaced by the identifiers of rows.
    ///
    /// The caller has read the keys before, and knows that they can be identifiers. The method writes the model as a
    /// descriptor with the replaced attributes as primary keys, and reads that descriptor.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - identifiers: The replaced attributes, by the names of their entities; their values are unique integers.
    /// - Returns: The model without the replaced attributes.
    /// - Throws: ``ModelFileError`` if another rule of the model refers to a replaced attribute.
    package static func model(
        _ model: ManagedObjectModel, identifiedBy identifiers: [String: IdentifyingAttribute]
    ) throws(ModelFileError) -> ManagedObjectModel {
        let descriptor = DescriptorWriter(model: model, identifiers: identifiers).descriptor()
        let domains = model.entities.flatMap(\.attributes).compactMap(\.domain)
        return try ModelFile(
            json: Array(JSONTreeWriter.text(descriptor, .modelFile).utf8),
            domains: Dictionary(domains.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }), isKept: true
        ).model
    }

    /// Returns the descriptor of a model with a `strata:version` that programs without support for `strata:order`
    /// reject.
    package static func newerText(of model: ManagedObjectModel) -> String {
        JSONTreeWriter.text(
            DescriptorWriter(model: model, leastVersion: DescriptorWords.version).descriptor(), .modelFile)
    }

    /// Returns the text of a model's descriptor, which ends with a line feed.
    ///
    /// The same model always results in the same text, and reading the text results in an equal model. The text is
    /// therefore suitable for version control and for comparisons. The text contains no code: the rule of a Swift type
    /// is represented by the type's name.
    ///
    /// Properties with default values are omitted. Each table has a `path`, even if `package` is `nil`, because the
    /// standard requires it. The path is then a file name that is derived from the name of the table.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - package: The data files that the descriptor also describes, or `nil` to describe only the model.
    /// - Returns: The text of the descriptor.
    /// - Complexity: O(*n*) in the count of properties and constants in the model.
    public static func text(of model: ManagedObjectModel, package: WrittenPackage? = nil) -> String {
        JSONTreeWriter.text(DescriptorWriter(model: model, package: package).descriptor(), .modelFile)
    }
}
