public import StrataCore

/// A model in a file: a Data Package descriptor, version 2, whose properties with the prefix `strata:` say what the standard has no word for.
///
/// A descriptor without any of them is a model too. What each property means is on the page “A model in a file”
/// of StrataModelFiles.
///
/// ```swift
/// let file = try ModelFile(json: Array(text.utf8))
/// for finding in file.warnings { print(finding) }
/// let container = try PersistentContainer(model: file.model, .sqlite(at: url))
/// ```
public struct ModelFile: Sendable {
    /// The most bytes of a model file that is read: 16 MiB.
    ///
    /// A descriptor of 10,000 columns has about one.
    public static let maximumByteCount = DescriptorText.maximumByteCount

    /// The model.
    public let model: ManagedObjectModel
    /// What the file says that is not understood or not kept, each with its place, and notes.
    public let warnings: [ModelFileFinding]
    /// Numbers of which the file does not say how many digits they have, and nobody has settled it; in the model they are doubles.
    public let openNumbers: [OpenNumber]
    /// The entities whose order of rows is neither in the file nor in the given layouts.
    ///
    /// In the model, their rows are in the order of their identifiers.
    public let openLayouts: [String]

    /// Where the rows of its tables are, in the descriptor's order; empty unless it was asked for.
    public let resources: [DataResource]

    /// Reads a model.
    ///
    /// Linear in the number of bytes, and of pairs of a reference and a table.
    ///
    /// - Parameters:
    ///   - json: The descriptor, in UTF-8.
    ///   - domains: Rules of Swift types by their names; one that is not here refuses every value that is written, and reading works.
    ///   - numbers: What is known of numbers that the file leaves open, from data or from a store.
    ///   - layouts: What is known of entities by name, from data or from a store, where the file says nothing else.
    ///   - isStrict: Whether warnings are errors.
    ///   - isKept: Whether it is what a store keeps of its model: a store that was made opens, whatever is looked at in files since.
    ///   - readsResources: Whether it is read, too, where the rows are and how they are written; a table without that is an error then.
    ///   - schema: Reads the schema (or the dialect) that stands in a file of its own, for its path: relative to the model file, and never out of its
    ///     directory by its words (whoever reads sees to links). `nil` where there are no such files; one that is named is an error then.
    /// - Throws: ``ModelFileError`` with all that was found.
    public init(
        json: [UInt8], domains: [String: AttributeDomain] = [:], numbers: [OpenNumber: SettledNumber] = [:],
        layouts: [String: SettledLayout] = [:], isStrict: Bool = false, isKept: Bool = false,
        readsResources: Bool = false,
        schema: ((String) throws -> [UInt8])? = nil
    ) throws(ModelFileError) {
        guard json.count <= Self.maximumByteCount else {
            throw ModelFileError([
                ModelFileFinding(
                    .error, at: "",
                    "the file has more than \(Self.maximumByteCount) bytes, the most that a model file has")
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

    /// The paths that a descriptor names, as far as they are texts; an empty one for rows that stand in it.
    ///
    /// - Parameter json: The descriptor, in UTF-8.
    /// - Returns: The paths; none of which needs to be safe.
    /// - Throws: ``ModelFileError`` where it is no JSON.
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

    /// Returns a model in which attributes with the keys of files are the identifiers of rows.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - identifiers: The attributes, by the names of their entities; unique whole numbers.
    /// - Returns: The model without the attributes.
    /// - Throws: ``ModelFileError`` if another rule of the model names an attribute.
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

    /// Returns a model as a descriptor that builds which read no `strata:order` refuse.
    package static func newerText(of model: ManagedObjectModel) -> String {
        JSONTreeWriter.text(
            DescriptorWriter(model: model, leastVersion: DescriptorWords.version).descriptor(), .modelFile)
    }

    /// A model as a descriptor, ending with a line feed: the same model gives the same text, and reading it gives the model.
    ///
    /// Closures are not written: of the rule of a Swift type its name is.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - package: The files that it is to be the descriptor of; `nil` for the model alone.
    /// - Returns: The text.
    public static func text(of model: ManagedObjectModel, package: WrittenPackage? = nil) -> String {
        JSONTreeWriter.text(DescriptorWriter(model: model, package: package).descriptor(), .modelFile)
    }
}
