import Foundation
import StrataFixtureDatasets
import StrataInterchange
import StrataModelFiles

/// The data package to import: a descriptor, and its resources that are tables.
struct DataPackage {
    private static let fileName = "datapackage.json"
    /// The names of descriptors that are not JSON; the reader rejects them.
    private static let otherNames = ["datapackage.yaml", "datapackage.yml", "datapackage.toml"]

    /// The path of the descriptor.
    let path: String
    let resources: [DataResource]

    /// Returns the data package that the arguments name instead of datasets, or `nil` if they name none.
    ///
    /// A directory, or a ZIP archive, is a data package if it has no manifest and its descriptor names an existing file
    /// or itself contains rows. A model file that describes none of the datasets in its directory does not make the
    /// directory a data package.
    ///
    /// - Throws: ``UsageError`` if other datasets or conflicting options are given, ``ModelFailure`` if the descriptor
    ///   is invalid.
    static func named(by arguments: ParsedArguments) throws -> DataPackage? {
        for path in arguments.positionals {
            guard let package = try at(path, arguments) else { continue }
            guard arguments.positionals.count == 1 else {
                throw arguments.usageError(
                    "\(path) is a data package and must be imported alone; import other datasets with another command")
            }
            for option in settledOptions where !arguments.allValues(option).isEmpty || arguments.has(option) {
                throw arguments.usageError(
                    "--\(option) cannot be combined with a data package; \(package.path) describes the format of the "
                        + "files")
            }
            if !arguments.has("ignore-digests") {
                try package.compareContents(arguments)
            } else if package.resources.allSatisfy({ $0.hash == nil && $0.byteCount == nil }) {
                throw arguments.usageError("--ignore-digests requires files with digests, but \(package.path) has none")
            }
            return package
        }
        if arguments.has("strict") {
            throw arguments.usageError("--strict requires a data package, but none was given")
        }
        return nil
    }

    static let strictOption = OptionSpecification.flag(
        "strict",
        "Treat warnings about a data package as errors.",
        details: "Such warnings are about content that is not understood or is skipped, and about different sizes and "
            + "digests."
    )

    /// The options that cannot be combined with a data package, because the descriptor or its defaults determine them.
    private static let settledOptions = [
        "format", "encoding", "delimiter", "quote", "escape", "no-header", "columns", "header-rows", "header-join",
        "skip-lines", "comment", "comment-rows", "skip-initial-space", "trim", "root", "key-as", "value-as",
        "type", "key", "as", "source-column",
    ]

    private static func at(_ path: String, _ arguments: ParsedArguments) throws -> DataPackage? {
        let kind = path == "-" ? .nothing : PathKind(path)
        let member = path == "-" ? nil : MemberPath(path)?.member
        let name = (member ?? path).split(separator: "/").last.map(String.init) ?? ""
        let isDescriptor = (name == fileName || otherNames.contains(name)) && kind != .directory
        if isDescriptor, member != nil { try refuseEntity(of: path, arguments) }
        // An argument with `--entity` is always a dataset, whatever its file name is.
        if isDescriptor { return arguments.value("entity") == nil ? try read(path, arguments) : nil }
        guard kind == .directory else { return nil }
        let folder = path.withoutTrailingSlashes
        let descriptor = folder + "/" + fileName
        guard FileManager.default.fileExists(atPath: descriptor),
            !FileManager.default.fileExists(atPath: folder + "/" + DatasetManifest.fileName)
        else { return nil }
        // Reads only the paths first: a descriptor without any existing file is just a model.
        guard try namesRows(descriptor) else { return nil }
        try refuseEntity(of: descriptor, arguments)
        return try read(descriptor, arguments)
    }

    private static func refuseEntity(of descriptor: String, _ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.value("entity") != nil else { return }
        throw arguments.usageError(
            "--entity can be used only for one dataset; the resources of \(descriptor) name their entities")
    }

    private static func read(_ path: String, _ arguments: ParsedArguments) throws -> DataPackage {
        let file = try Models.file(at: path, isStrict: arguments.has("strict"), readsResources: true)
        // Without `--model`, the descriptor is also read as the model, which reports the same warnings.
        if arguments.value("model") != nil, !arguments.has("quiet") {
            for warning in file.warnings { Console.note("\(path): \(warning.severity.rawValue): \(warning)") }
        }
        return DataPackage(path: path, resources: file.resources)
    }

    /// Compares the files of the package with the sizes and digests in its descriptor; missing files are reported
    /// later.
    ///
    /// The digests of many packages are stale, often because a program changed the line ends. Therefore a difference is
    /// a warning, and an error only with `--strict`.
    ///
    /// - Throws: ``ModelFailure`` if a file differs and `--strict` was given, and read errors.
    private func compareContents(_ arguments: ParsedArguments) throws {
        var findings: [ModelFileFinding] = []
        let severity: ModelFileFinding.Severity = arguments.has("strict") ? .error : .warning
        let interruption = Interruption()
        for resource in resources {
            guard case .files(let paths) = resource.content, paths.count == 1, !Models.leadsOut(paths[0], of: path),
                resource.hash != nil || resource.byteCount != nil
            else { continue }
            let file = Models.nextTo(path, paths[0])
            guard Models.isExisting(file) else { continue }
            let input = try MemberPath(file) == nil ? ByteInput(path: file) : ByteInput.file(at: file)
            input.isCancelled = interruption.isCancelled
            if let expected = resource.byteCount, let found = input.byteCount, found != expected {
                findings.append(
                    ModelFileFinding(
                        severity, at: resource.place + "/bytes",
                        "“\(paths[0])” has \(found) bytes instead of \(expected)"
                    ))
            }
            guard let hash = resource.hash, let algorithm = DigestAlgorithm(rawValue: hash.algorithm.rawValue) else {
                continue
            }
            let digits = try algorithm.digest(of: input)
            guard digits != hash.digits else { continue }
            findings.append(
                ModelFileFinding(
                    severity, at: resource.place + "/hash",
                    "“\(paths[0])” has the digest \(algorithm.rawValue):\(digits), which differs from the descriptor: "
                        + "the file is a different one, or its line endings were changed"))
        }
        guard severity == .warning || findings.isEmpty else { throw ModelFailure(path: path, findings: findings) }
        guard !arguments.has("quiet") else { return }
        for finding in findings { Console.note("\(path): warning: \(finding)") }
    }

    /// Returns a Boolean value that indicates whether a descriptor names an existing file or contains rows.
    static func namesRows(_ descriptor: String) throws -> Bool {
        let bytes = try ByteInput.contents(of: descriptor, atMost: ModelFile.maximumByteCount)
        let paths: [String]
        do throws(ModelFileError) {
            paths = try ModelFile.paths(json: bytes)
        } catch {
            throw ModelFailure(path: descriptor, findings: error.findings)
        }
        return paths.contains { path in
            path.isEmpty || Models.isExisting(Models.nextTo(descriptor, path))
        }
    }
}
