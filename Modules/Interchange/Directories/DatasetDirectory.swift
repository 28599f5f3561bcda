import Foundation
public import StrataCore
import StrataFiles

/// A directory of datasets that are imported together, found by a manifest or by the names of the files.
///
/// If there is no manifest, the name of a file determines the entity, in the singular or the plural and in any case:
/// `employees.csv`, `Employee.ndjson`, `bosses.csv.gz`. A file with the name of a join table contains the join rows of
/// a many-to-many relationship. Each visible sheet of a workbook (`.xlsx`) is a file with the name of the sheet; if a
/// workbook has only one, with the name of the workbook.
///
/// ```swift
/// let directory = try DatasetDirectory(path: "backup", model: container.model)
/// let sources = try directory.files.map { file in
///     var source = ImportSource(entity: file.entity, input: try ByteInput.file(at: file.path))
///     source.reading = ReadingOptions(format: file.format)
///     source.expectedRecords = file.records
///     source.expectedDigest = file.digest
///     return source
/// }
/// let importer = DatasetImporter(container: container, options: ImportOptions(format: .csv))
/// let summary = try importer.run(sources)
/// ```
///
/// The files may be in any order, because references are checked after the last record. Files whose names begin with a
/// point are ignored, and files in subdirectories are not found. If the manifest has a separator or a text for null,
/// set them in the reading options too.
///
/// ## Topics
///
/// ### Finding datasets
///
/// - ``init(path:model:)``
/// - ``entity(ofFile:in:)``
///
/// ### The files of the directory
///
/// - ``files``
/// - ``File``
/// - ``others``
/// - ``manifest``
public struct DatasetDirectory: Sendable {
    /// A file to be imported.
    ///
    /// The file was not opened yet, so it may not exist if a manifest lists it.
    public struct File: Sendable {
        /// The path of the file.
        ///
        /// It begins with the path of the directory as the caller specified it.
        public var path: String
        /// The name of the entity or join table whose rows the file contains.
        public var entity: String
        /// The format of the file.
        public var format: DatasetFormat
        /// The count of records in the file according to the manifest; `nil` if there is no manifest.
        public var records: Int?
        /// The size and the digest of the file according to the manifest; `nil` if there is no manifest.
        public var digest: FileDigest?
    }

    /// The files to be imported, in the order of their names.
    ///
    /// If there is a manifest, the order is that of the manifest: files of entities, and then files of join rows.
    public private(set) var files: [File] = []
    /// The names of the other files in the directory, which are not datasets of the model; `datapackage.json` is
    /// omitted.
    ///
    /// Show them to the user, because a misspelled file name would otherwise remain unnoticed. If there is a manifest,
    /// the array is empty, and other files are ignored.
    public private(set) var others: [String] = []
    /// The paths of workbooks with hidden sheets, which are skipped, and the names of these sheets.
    package private(set) var hiddenSheets: [(workbook: String, sheets: [String])] = []
    /// The manifest of the directory; `nil` if there is none.
    public private(set) var manifest: DatasetManifest?

    /// Finds the datasets of a directory.
    ///
    /// The content of datasets is not read.
    ///
    /// - Parameters:
    ///   - path: The path of the directory, or of a manifest in it.
    ///   - model: The model that contains the entities of the datasets.
    /// - Throws: ``InterchangeError/Code/unreadable`` if the directory cannot be read;
    ///   ``InterchangeError/Code/inputNotFound`` if it contains no dataset of the model;
    ///   ``InterchangeError/Code/malformed`` if a manifest is invalid or names unknown entities or formats;
    ///   ``InterchangeError/Code/unsupported`` if the manifest has another version.
    public init(path: String, model: ManagedObjectModel) throws(InterchangeError) {
        let isManifest = path.split(separator: "/").last.map(String.init) == DatasetManifest.fileName
        let directory = isManifest ? FilePath.folder(of: path) : path
        let manifestPath = "\(directory)/\(DatasetManifest.fileName)"
        if isManifest || FileManager.default.fileExists(atPath: manifestPath) {
            try readManifest(at: isManifest ? path : manifestPath, directory, model)
            return
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        } catch {
            throw InterchangeError(.unreadable, source: path, message: "the directory cannot be read")
        }
        for name in names where !name.hasPrefix(".") && name != "datapackage.json" {
            let path = "\(directory)/\(name)"
            if let sheets = try Container.sheets(ofFile: path) {
                for sheet in sheets.visible {
                    if let entity = Self.entity(ofFile: sheet, in: model) {
                        files.append(File(path: sheet, entity: entity, format: .csv))
                    } else {
                        others.append(String(sheet.dropFirst(directory.count + 1)))
                    }
                }
                if !sheets.hidden.isEmpty { hiddenSheets.append((path, sheets.hidden)) }
            } else if let format = DatasetFormat(fileName: name), let entity = Self.entity(ofFile: name, in: model) {
                files.append(File(path: path, entity: entity, format: format))
            } else {
                others.append(name)
            }
        }
        guard !files.isEmpty else {
            throw InterchangeError(
                .inputNotFound, source: path,
                message: "no file in the directory has the name of an entity, as in "
                    + "\(model.entities.first?.name ?? "Entity").csv")
        }
    }

    private mutating func readManifest(
        at path: String, _ directory: String, _ model: ManagedObjectModel
    ) throws(InterchangeError) {
        let manifest = try DatasetManifest(json: Data(try ByteInput.contents(of: path)), source: path)
        guard let format = DatasetFormat(rawValue: manifest.format) else {
            throw InterchangeError(.malformed, source: path, message: "there is no format \"\(manifest.format)\"")
        }
        for listed in try manifest.listedFiles(source: path) {
            // A model that was inferred from the files uses the names of the files.
            let isKnown =
                model.entities.contains { $0.name == listed.name } || model.joins.contains { $0.name == listed.name }
            guard let entity = isKnown ? listed.name : Self.entity(ofFile: listed.file, in: model) else {
                throw InterchangeError(
                    .malformed, source: path, message: "the model has no entity or join table \"\(listed.name)\"")
            }
            files.append(
                File(
                    path: "\(directory)/\(listed.file)", entity: entity, format: format, records: listed.rows,
                    digest: listed.digest))
        }
        self.manifest = manifest
    }

    /// Returns the entity or join table whose name a file has; `nil` if there is none.
    ///
    /// The file name may be in the singular or the plural.
    ///
    /// The text up to the first point of the name is compared: first with the names of datasets in the model, byte by
    /// byte, and then without regard to case, `_`, `-` and spaces. The plural of a name ends with `s`, `es` or `ies`.
    ///
    /// - Parameters:
    ///   - name: The file name, with or without the path of its folder.
    ///   - model: The model.
    /// - Returns: The name of the entity or join table.
    /// - Complexity: O(*n*) in the entities and join tables.
    public static func entity(ofFile name: String, in model: ManagedObjectModel) -> String? {
        let file = name.split(separator: "/").last ?? ""
        // Several sheets of a workbook and files of an archive have names of their own.
        let whole = MemberPath(name)?.datasetName ?? String(file.prefix { $0 != "." })
        let joins = model.joins.filter(\.hasDataset)
        let external =
            model.entities.map { ($0.name, $0.external.name ?? $0.name) } + joins.map { ($0.name, $0.externalName) }
        if let named = external.first(where: { Array($0.1.utf8) == Array(whole.utf8) }) { return named.0 }
        let stem = NameMatching.folded(whole)
        let own = model.entities.map { ($0.name, $0.name) } + joins.map { ($0.name, $0.name) }
        // Names in the model take precedence over other spellings of external names.
        for (name, spelling) in own + external {
            let folded = NameMatching.folded(spelling)
            var spellings = [folded, folded + "s", folded + "es"]
            if folded.hasSuffix("y") { spellings.append(folded.dropLast() + "ies") }
            if spellings.contains(stem) { return name }
        }
        return nil
    }
}
