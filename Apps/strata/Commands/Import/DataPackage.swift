import Foundation
import StrataFixtureDatasets
import StrataInterchange
import StrataModelFiles

/// The data package that an import is of: a descriptor, and the resources that it says are tables.
struct DataPackage {
    private static let fileName = "datapackage.json"

    /// The descriptor.
    let path: String
    let resources: [DataResource]

    /// The package that was given instead of datasets; `nil` where none was.
    ///
    /// A directory is one where its descriptor names a file that is there, or has rows itself, and no manifest says what the files are: a model
    /// file beside other datasets describes none of them.
    ///
    /// - Throws: ``UsageError`` where there is something beside it, ``ModelFailure`` where the descriptor is wrong.
    static func named(by arguments: ParsedArguments) throws -> DataPackage? {
        for path in arguments.positionals {
            guard let package = try at(path, arguments) else { continue }
            guard arguments.positionals.count == 1 else {
                throw arguments.usageError(
                    "\(path) is a data package, which is imported by itself; other datasets come with another command")
            }
            for option in settledOptions where arguments.value(option) != nil || arguments.has(option) {
                throw arguments.usageError(
                    "--\(option) is for other datasets; \(package.path) says what its files are like")
            }
            return package
        }
        return nil
    }

    /// What the descriptor says, or what is usual where it says nothing.
    private static let settledOptions = [
        "format", "encoding", "delimiter", "quote", "no-header", "columns", "skip-lines", "comment", "trim", "root",
        "key-as", "value-as",
    ]

    private static func at(_ path: String, _ arguments: ParsedArguments) throws -> DataPackage? {
        var isDirectory: ObjCBool = false
        let exists = path != "-" && FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        let isDescriptor = path.split(separator: "/").last.map(String.init) == fileName && !isDirectory.boolValue
        // Who names an entity means a dataset, whatever it is called.
        if isDescriptor { return arguments.value("entity") == nil ? try read(path, arguments) : nil }
        guard exists, isDirectory.boolValue else { return nil }
        let folder = path.withoutTrailingSlashes
        let descriptor = folder + "/" + fileName
        guard FileManager.default.fileExists(atPath: descriptor),
            !FileManager.default.fileExists(atPath: folder + "/" + DatasetManifest.fileName)
        else { return nil }
        // As a model first: where nothing of it is here, it is no more than that.
        guard try names(oneOfThoseBeside: descriptor) else { return nil }
        guard arguments.value("entity") == nil else {
            throw arguments.usageError("--entity is for one dataset; the resources of \(descriptor) say theirs")
        }
        return try read(descriptor, arguments)
    }

    private static func read(_ path: String, _ arguments: ParsedArguments) throws -> DataPackage {
        let file = try Models.file(at: path, readsResources: true)
        // The model that it is says the same.
        if arguments.value("model") != nil, !arguments.has("quiet") {
            for warning in file.warnings { Console.note("\(path): warning: \(warning)") }
        }
        return DataPackage(path: path, resources: file.resources)
    }

    /// Whether a descriptor names a file that is there, or has rows itself.
    private static func names(oneOfThoseBeside descriptor: String) throws -> Bool {
        let bytes = try ByteInput.contents(of: descriptor, atMost: ModelFile.maximumByteCount)
        let paths: [String]
        do throws(ModelFileError) {
            paths = try ModelFile.paths(json: bytes)
        } catch {
            throw ModelFailure(path: descriptor, findings: error.findings)
        }
        return paths.contains { path in
            path.isEmpty || FileManager.default.fileExists(atPath: Models.beside(descriptor, path))
        }
    }
}
