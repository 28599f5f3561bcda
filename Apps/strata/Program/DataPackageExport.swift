import Foundation
import StrataFixtureDatasets
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataStoreKit

/// An export of a whole store as a data package: CSV files, and a descriptor of their content.
struct DataPackageExport {
    /// The value of `--format` for this export.
    static let word = "datapackage"
    static let fileName = "datapackage.json"

    private let directory: String

    static func isRequested(_ arguments: ParsedArguments) -> Bool { arguments.value("format")?.lowercased() == word }

    /// Creates the export if the arguments request one, and returns `nil` otherwise.
    ///
    /// - Throws: ``UsageError`` if an option has no equivalent in a descriptor, or if the directory already contains a
    ///   manifest.
    init?(_ arguments: ParsedArguments, _ directory: String) throws {
        guard Self.isRequested(arguments) else { return nil }
        for option in ["null", "bom", "escape-formulas", "pretty"]
        where arguments.has(option) || arguments.value(option) != nil {
            throw arguments.usageError(
                "--\(option) cannot be combined with --format \(Self.word): the descriptor determines the format of "
                    + "the files")
        }
        let manifest = directory.withoutTrailingSlashes + "/" + DatasetManifest.fileName
        guard !FileManager.default.fileExists(atPath: manifest) else {
            throw arguments.usageError(
                "\(directory) has a \(DatasetManifest.fileName) of another export, which would describe the wrong "
                    + "files; name another directory"
            )
        }
        self.directory = directory
    }

    /// Returns the descriptor of the written files.
    func descriptor(
        _ manifest: DatasetManifest, _ model: ManagedObjectModel, _ options: ExportOptions
    ) throws -> [UInt8] {
        var files: [String: WrittenPackage.File] = [:]
        for file in manifest.datasets {
            files[file.entity] = .init(path: file.file, byteCount: Int(file.bytes), sha256: file.sha256)
        }
        for file in manifest.joins {
            files[file.name] = .init(path: file.file, byteCount: Int(file.bytes), sha256: file.sha256)
        }
        let name = URL(fileURLWithPath: directory).lastPathComponent
        var package = WrittenPackage(title: name, files: files)
        if let separator = options.separator { package.delimiter = separator.byte }
        package.endsLinesWithCR = options.lineEnding == .cr
        package.missingValues = options.missingValues
        return Array(ModelFile.text(of: model, package: package).utf8)
    }

    /// Returns the texts that represent null in columns with empty texts.
    ///
    /// By the standard, an empty cell is null, with or without quotes. Therefore null needs another text in such a
    /// column.
    ///
    /// The function queries the store once for each text column. The query for a column without empty texts reads all
    /// of its rows. A column without null gets no text for null. Another column gets the first text that is not one of
    /// its values.
    static func missingValues(of container: PersistentContainer) throws -> [String: [String: [String]]] {
        let (model, store) = (container.model, container.coordinator.store)
        var texts: [String: [String: [String]]] = [:]
        for entity in model.entities {
            let predicate = try PredicateText(entity.name, in: model)
            for attribute in entity.attributes where attribute.type == .string {
                func has(_ condition: String) throws -> Bool {
                    let condition = try predicate.condition("`\(attribute.name)` \(condition)")
                    return try store.count(StoreRequest(entity.name, where: condition, limit: 1)) > 0
                }
                let missing = attribute.spelling.missingValues ?? entity.external.missingValues ?? [""]
                guard missing.contains(""), try has("= \"\"") else { continue }
                guard try attribute.isOptional && has("= null") else {
                    texts[entity.name, default: [:]][attribute.name] = []
                    continue
                }
                let words = missing.filter { !$0.isEmpty } + ["NA", "NULL", "null", "N/A", "-"]
                let numbered = (1...).lazy.map { "NA\($0)" }
                func isFree(_ word: String) throws -> Bool { try !has("= \(Self.quoted(word))") }
                let free = try words.first(where: isFree) ?? numbered.first(where: isFree)
                texts[entity.name, default: [:]][attribute.name] = free.map { [$0] }
            }
        }
        return texts
    }

    /// Returns a text in the syntax of predicates.
    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            .replacing("\r", with: "\\r").replacing("\t", with: "\\t")
        return "\"\(escaped)\""
    }

    /// Returns notes for the user on the columns in which null has a special text.
    static func notes(_ manifest: DatasetManifest, _ options: ExportOptions, _ model: ManagedObjectModel) -> [String] {
        manifest.datasets.flatMap { file -> [String] in
            (options.missingValues[file.entity] ?? [:]).sorted { $0.key < $1.key }.compactMap {
                name, texts -> String? in
                guard let text = texts.first else { return nil }
                let column = model[file.entity]?.attributes.first { $0.name == name }?.externalName ?? name
                return
                    "\(file.file): null in \(PrintableText.quoted(column)) is written as \(text), because empty texts "
                    + "are values"
            }
        }
    }
}
