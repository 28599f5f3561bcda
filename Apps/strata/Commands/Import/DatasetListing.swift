import Foundation
import StrataFixtureDatasets
import StrataInterchange
import StrataModelFiles

/// The files that command lines name as datasets.
enum DatasetListing {
    /// The file name that is used for standard input.
    static let standardInputName = "data.csv"

    static func fileName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// Returns the name of a dataset: its file name without the extension.
    static func name(_ path: String) -> String {
        if path != "-", let name = MemberPath(path)?.datasetName { return name }
        return String((path == "-" ? standardInputName : fileName(path)).prefix { $0 != "." })
    }

    /// Returns the format of a file in a directory.
    static func format(of path: String, _ arguments: ParsedArguments) throws -> DatasetFormat {
        try format(of: path, arguments, otherwise: .csv)
    }

    /// Returns the format of a dataset; a sheet of a workbook is read as CSV.
    ///
    /// - Parameters:
    ///   - path: The path of the dataset; `nil` for standard input.
    ///   - arguments: The arguments of the command.
    ///   - otherwise: The format of a file without an extension; `nil` if it must be given.
    /// - Returns: The format.
    /// - Throws: ``UsageError`` if the format is not known.
    static func format(
        of path: String?, _ arguments: ParsedArguments, otherwise: DatasetFormat?
    ) throws -> DatasetFormat {
        if let path, MemberPath(path)?.isSheet == true { return .csv }
        return try Stores.format(arguments, file: path, otherwise: otherwise)
    }

    /// A file, and the manifest that lists it.
    struct File {
        let path: String
        var manifest: DatasetManifest?
    }

    /// Returns the file at a path, or, if the path names a directory, the datasets in that directory.
    ///
    /// The datasets of a directory are the files in its manifest; without a manifest, they are all data files in order
    /// of their names, and the visible sheets of workbooks.
    static func files(_ path: String) throws -> [File] {
        let kind = path == "-" ? .nothing : PathKind(path)
        let isManifest = kind == .file && fileName(path) == DatasetManifest.fileName
        guard kind == .directory || isManifest else { return [File(path: path)] }
        let directory =
            isManifest ? String(path.dropLast(fileName(path).count)) : path.withoutTrailingSlashes + "/"
        if let manifest = try manifest(at: directory + DatasetManifest.fileName) {
            return try manifest.listedFiles(source: directory + DatasetManifest.fileName).map {
                File(path: directory + $0.file, manifest: manifest)
            }
        }
        guard !isManifest else { return [File(path: path)] }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        let isDescriptor = ["datapackage.json", DatasetManifest.fileName]
        return try names.filter { !$0.hasPrefix(".") && !isDescriptor.contains($0) }.flatMap { name in
            let path = directory + name
            if let sheets = try Container.sheets(ofFile: path) { return sheets.visible }
            return try DatasetFormat(fileName: name) != nil && !isModel(path) ? [path] : []
        }.map { File(path: $0) }
    }

    /// Returns a Boolean value that indicates whether a file in a directory of datasets is a model file.
    private static func isModel(_ path: String) throws -> Bool {
        guard path.hasSuffix(".json"), try ByteInput(path: path).byteCount ?? .max <= ModelFile.maximumByteCount else {
            return false
        }
        let bytes = try ByteInput.contents(of: path)
        do throws(ModelFileError) {
            return try !ModelFile.paths(json: bytes).isEmpty
        } catch {
            // The file is not JSON; the reader of datasets reports the error.
            return false
        }
    }

    /// Reads a manifest, or returns `nil` if there is none or the file belongs to another program.
    private static func manifest(at path: String) throws -> DatasetManifest? {
        guard PathKind(path) == .file else { return nil }
        let json = Data(try ByteInput.contents(of: path))
        do throws(InterchangeError) {
            return try DatasetManifest(json: json, source: path)
        } catch  where error.code == .malformed {
            return nil
        }
    }
}
