import Foundation
import StrataFixtureDatasets
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// A whole store as a data package: files of CSV, and a descriptor that says what they hold.
struct DataPackageExport {
    /// The word for it.
    static let word = "datapackage"
    static let fileName = "datapackage.json"

    private let directory: String

    static func isAsked(_ arguments: ParsedArguments) -> Bool { arguments.value("format")?.lowercased() == word }

    /// The package that was asked for; `nil` where none was.
    ///
    /// - Throws: ``UsageError`` for what a descriptor cannot say, or where the directory says something else of its files.
    init?(_ arguments: ParsedArguments, _ directory: String) throws {
        guard Self.isAsked(arguments) else { return nil }
        for option in ["null", "bom", "escape-formulas", "pretty"]
        where arguments.has(option) || arguments.value(option) != nil {
            throw arguments.usageError(
                "--\(option) does not go with --format \(Self.word): the descriptor says what files hold")
        }
        let manifest = directory.withoutTrailingSlashes + "/" + DatasetManifest.fileName
        guard !FileManager.default.fileExists(atPath: manifest) else {
            throw arguments.usageError(
                "\(directory) has a \(DatasetManifest.fileName) of another export, which would say what its files are; name another directory"
            )
        }
        self.directory = directory
    }

    /// The descriptor of what was written.
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
        return Array(ModelFile.text(of: model, package: package).utf8)
    }

    /// What the files hold and the standard has no word for: there an empty cell is null, in quotes or not.
    ///
    /// Asks the store once for each column of texts; the answer for a column without empty texts takes a pass over its rows.
    func doubts(_ manifest: DatasetManifest, _ container: PersistentContainer) throws -> [String] {
        let model = container.model
        return try manifest.datasets.compactMap { file in
            let entity = try model.entity(named: file.entity)
            let predicate = try PredicateText(entity.name, in: model)
            let columns = try entity.attributes.filter { attribute in
                let missing = attribute.spelling.missingValues ?? entity.external.missingValues ?? [""]
                guard attribute.type == .string, missing.contains("") else { return false }
                let condition = try predicate.condition("\(attribute.name) = \"\"")
                return try container.coordinator.store.count(StoreRequest(entity.name, where: condition, limit: 1)) > 0
            }
            guard !columns.isEmpty else { return nil }
            let names = columns.map { PrintableText.quoted($0.externalName ?? $0.name) }.joined(separator: ", ")
            return
                "\(file.file): the empty text in \(names) is written \"\" and read back as it is; the standard has no word for it, and other tools "
                + "take it for null"
        }
    }
}
