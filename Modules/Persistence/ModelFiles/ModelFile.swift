public import StrataCore

/// A model in a file: a Data Package descriptor, version 2, with additional properties that begin with `strata:`.
///
/// A descriptor without any additional properties is a valid model too. The page “A model in a file” of
/// StrataModelFiles describes the meaning of each property.
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

    /// The model.
    public let model: ManagedObjectModel
    /// The warnings about unknown and discarded parts of the file, and notes, each with its location.
    public let warnings: [ModelFileFinding]
    /// The numbers whose count of decimal places is neither in the file nor in the given settings.
    ///
    /// In the model, they are doubles.
    public let openNumbers: [UnspecifiedNumber]
    /// The entities whose order of rows is neither in the file nor in the given layouts.
    ///
    /// In the model, their rows are in the order of their identifiers.
    public let openLayouts: [String]

    /// The locations of the rows of the tables, in the descriptor's order; empty unless the caller requests them.
    public let resources: [DataResource]

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - json: The descriptor, in UTF-8.
    ///   - domains: The rules of Swift types by their names; without its rule, an attribute can be read, but not
    ///     written.
    ///   - numbers: The known types of numbers whose decimal places are not in the file, from data or from a store.
    ///   - layouts: The known layouts of entities by name, from data or from a store, which apply if the file contains
    ///     none.
    ///   - isStrict: A Boolean value that indicates whether warnings are errors.
    ///   - isKept: A Boolean value that indicates whether the descriptor is the stored model of a store. Checks that
    ///     later versions have added do not apply to it, so that existing stores can be opened.
    ///   - readsResources: A Boolean value that indicates whether the locations and formats of the rows are read too; a
    ///     table without them is then an error.
    ///   - schema: A closure that reads the separate file of a schema or a dialect. Its argument is a path relative to
    ///     the model file, whose text does not leave the directory of that file; the closure must check symbolic links.
    ///     If `nil`, a reference to a separate file is an error.
    /// - Throws: ``ModelFileError`` with all findings.
    /// - Complexity: Linear in the count of bytes, and in the count of combinations of a reference and a table.
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

    /// Returns the paths in a descriptor that are texts; an empty text represents rows in the descriptor itself.
    ///
    /// - Parameter json: The descriptor, in UTF-8.
    /// - Returns: The paths, which may be unsafe.
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

    /// Returns a model in which attributes with the keys of files are the identifiers of rows.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - identifiers: The attributes, by the names of their entities; their values are unique integers.
    /// - Returns: The model without the attributes.
    /// - Throws: ``ModelFileError`` if another rule of the model refers to one of the attributes.
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

    /// Returns the descriptor of a model with a version number that versions without `strata:order` reject.
    package static func newerText(of model: ManagedObjectModel) -> String {
        JSONTreeWriter.text(
            DescriptorWriter(model: model, leastVersion: DescriptorWords.version).descriptor(), .modelFile)
    }

    /// Returns the descriptor of a model, which ends with a line feed.
    ///
    /// The same model always results in the same text, and a reader of the text gets an equal model. Closures are not
    /// written: the rule of a Swift type is represented by its name.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - package: The files that the descriptor describes, or `nil` for the model alone.
    /// - Returns: The text.
    public static func text(of model: ManagedObjectModel, package: WrittenPackage? = nil) -> String {
        JSONTreeWriter.text(DescriptorWriter(model: model, package: package).descriptor(), .modelFile)
    }
}
