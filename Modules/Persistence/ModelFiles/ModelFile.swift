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
public struct ModelFile: Sendable {
    /// The maximum size of a model file: 16 MiB.
    ///
    /// The descriptor of 10,000 columns has a size of about 1 MiB.
    public static let maximumByteCount = DescriptorText.maximumByteCount

    /// The model that the file contains.
    public let model: ManagedObjectModel
    /// The warnings about unknown and ignored parts of the file, and the notes, each with its location in the file.
    public let warnings: [ModelFileFinding]
    /// The number attributes whose count of decimal places is neither in the file nor in the `numbers` of the caller.
    ///
    /// In the model, the type of these attributes is a double.
    public let openNumbers: [UnspecifiedNumber]
    /// The entities for which neither the file nor the `layouts` of the caller define the order of rows.
    ///
    /// In the model, the rows of these entities are in the order of their identifiers.
    public let openLayouts: [String]

    /// The locations and formats of the tables' rows, in the descriptor's order; empty unless the caller sets
    /// `readsResources`.
    public let resources: [DataResource]

    /// Reads a model from a descriptor.
    ///
    /// - Parameters:
    ///   - json: The descriptor, in UTF-8.
    ///   - domains: The rules of Swift types, by the types' names. If the rule of an attribute's Swift type is missing,
    ///     values of the attribute can be read, but not written.
    ///   - numbers: The types of number attributes, as determined from data or a store, for attributes whose count of
    ///     decimal places is not in the file.
    ///   - layouts: The layouts of entities by name, as determined from data or a store, for entities whose layout is
    ///     not in the file.
    ///   - isStrict: A Boolean value that indicates whether warnings are treated as errors.
    ///   - isKept: A Boolean value that indicates whether the descriptor is the model in a store's metadata. If so,
    ///     checks that later versions of Strata have added are skipped, so that existing stores can be opened.
    ///   - readsResources: A Boolean value that indicates whether the locations and formats of the tables' rows are
    ///     read, too. If so, a table without them is an error.
    ///   - schema: A closure that returns the bytes of a separate file with a schema or a dialect. Its argument is a
    ///     path relative to the model file, whose text does not leave the directory of that file; the closure must
    ///     check symbolic links. If `schema` is `nil`, a reference to a separate file results in an error.
    /// - Throws: ``ModelFileError`` with all findings if the descriptor is not a valid model.
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
    /// - Parameter json: The descriptor, in UTF-8.
    /// - Returns: The paths; they are not checked and may leave the descriptor's directory.
    /// - Throws: ``ModelFileError`` if the descriptor is not valid JSON.
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
    /// The same model always results in the same text, and reading the text results in an equal model. The text
    /// contains no code: the rule of a Swift type is represented by the type's name.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - package: The data files that the descriptor also describes, or `nil` to describe only the model.
    /// - Returns: The text of the descriptor.
    public static func text(of model: ManagedObjectModel, package: WrittenPackage? = nil) -> String {
        JSONTreeWriter.text(DescriptorWriter(model: model, package: package).descriptor(), .modelFile)
    }
}
