import StrataFixtureDatasets
import StrataInterchange
import StrataModelSwift
import StrataPersistence

/// The action `strata model swift`, which generates Swift code from a model.
enum SwiftCode {
    static let options: [OptionSpecification] = [
        .flag(
            "check", "Compare the generated text with the files at --output, and write nothing.",
            details: "The status is 65 if a file is missing, different, or not generated any more. The option is also "
                + "for openapi.", group: group),
        .option(
            "access", placeholder: "LEVEL",
            help: "Declare types as public, package or internal (default: public).", group: group,
            values: .words(SwiftModelOptions.Access.allCases.map(\.rawValue))),
        .option(
            "layers", placeholder: "COUNT",
            help: "Generate code for one module, or for two: Domain and Persistence (default: one).",
            details: "With two, the module Domain has the records and the protocols of repositories, and imports only "
                + "Foundation and StrataDomain.", group: group,
            values: .words(SwiftModelOptions.Layers.allCases.map(\.rawValue))),
        .option(
            "domain-module", placeholder: "NAME",
            help: "With --layers two, name the module of the records NAME (default: Domain).", group: group),
        .flag(
            "repositories", "Generate repositories.",
            details: "Without --repositories, --doubles and --fixtures, all three are generated.", group: group),
        .flag("doubles", "Generate a struct of closures for each repository, for tests.", group: group),
        .flag("fixtures", "Generate conformances to FixtureRecord, for generated records in tests.", group: group),
        .option(
            "prefix", placeholder: "TEXT", help: "Begin the names of types with TEXT.", group: group),
    ]
    private static let group = "Swift from a model"

    /// Prints the code, writes it to a directory, or compares it with the files of a directory.
    ///
    /// - Throws: ``UsageError`` if an option is invalid, ``StaleFiles`` if a check finds a difference, and the errors
    ///   of reading the model and writing files.
    static func run(_ arguments: ParsedArguments, _ path: String, isJSON: Bool) throws {
        let folder = try output(arguments, isJSON: isJSON)
        let options = try options(arguments)
        let model = try Models.model(at: path, warns: !arguments.has("quiet"))
        // A temporary store replaces a database of another program.
        let path = arguments.shownStore ?? path
        let code: SwiftModel
        do throws(SwiftModelError) {
            code = try SwiftModel(model, options, command: command(path, options))
        } catch {
            throw InterchangeError(.invalidValue, source: path, message: "\(error)")
        }
        let isRejected = arguments.has("strict") && !code.notes.isEmpty
        if !arguments.has("quiet") || isRejected {
            for note in code.notes { Console.note("\(path): \(isRejected ? "error" : "note"): \(note)") }
        }
        guard let folder else {
            if isRejected { throw FaultyModel() }
            return try Console.print(code.text)
        }
        let directory = CodeDirectory(path: folder, source: source(path), code)
        let changes = try directory.changes(removesOthers: options.entities == nil)
        let isCheck = arguments.has("check")
        if !isCheck, !isRejected { try directory.write(changes, Interruption()) }
        let isUpToDate = !isRejected && (!isCheck || changes.isEmpty)
        if isJSON {
            try Console.print(JSONObject.text(of: CodeReport(ok: isUpToDate, changes, code.notes)))
        } else if isCheck {
            try Console.print(changes.map { "\($0)\n" }.joined())
        } else if !isRejected, !arguments.has("quiet") {
            report(changes, of: directory.files.count, in: folder)
        }
        if isRejected { throw FaultyModel() }
        if !isUpToDate { throw StaleFiles() }
    }

    /// Returns the directory of the files; `nil` for standard output.
    private static func output(_ arguments: ParsedArguments, isJSON: Bool) throws -> String? {
        guard let folder = arguments.value("output") else {
            guard !arguments.has("check"), !isJSON else {
                throw arguments.usageError("--\(isJSON ? "format json" : "check") requires --output DIR")
            }
            return nil
        }
        guard !folder.isEmpty, folder != "-" else {
            throw arguments.usageError(
                folder.isEmpty
                    ? "option --output is empty; name a directory"
                    : "the code is written to a directory; omit --output to print it")
        }
        return folder.withoutTrailingSlashes
    }

    private static func report(_ changes: [CodeDirectory.Change], of all: Int, in folder: String) {
        for change in changes where change.kind == .obsolete {
            Console.note("deleted \(change.path), which is not generated any more")
        }
        let count = changes.count { $0.kind != .obsolete }
        Console.note(
            count == 0
                ? "all \(all) files in \(folder) are up to date"
                : count == all
                    ? "wrote \(all) files to \(folder)"
                    : "wrote \(count) of \(all) files to \(folder); the others are up to date")
    }

    private static func options(_ arguments: ParsedArguments) throws -> SwiftModelOptions {
        func value<Value: RawRepresentable & CaseIterable>(_ name: String, _ usual: Value) throws -> Value
        where Value.RawValue == String {
            try arguments.choice(name, among: Value.allCases.map(\.rawValue)).flatMap { Value(rawValue: $0) } ?? usual
        }
        let layers = try value("layers", SwiftModelOptions.Layers.one)
        let access = try value("access", SwiftModelOptions.Access.public)
        if arguments.value("domain-module") != nil, layers == .one {
            throw arguments.usageError("--domain-module can be used only with --layers two")
        }
        if access == .internal, layers == .two {
            throw arguments.usageError(
                "--access internal cannot be combined with --layers two, because both modules use the types")
        }
        let parts = SwiftModelOptions.Part.allCases.filter { arguments.has($0.rawValue) }
        let entities = arguments.allValues("entity")
        return SwiftModelOptions(
            access: access, layers: layers,
            parts: Set(parts.isEmpty ? SwiftModelOptions.Part.allCases : parts),
            prefix: arguments.value("prefix") ?? "",
            entities: entities.isEmpty ? nil : Set(entities), domainModule: arguments.value("domain-module") ?? "Domain"
        )
    }

    /// Returns the command for the header, with the name of the model and without paths.
    private static func command(_ path: String, _ options: SwiftModelOptions) -> String {
        var words = [source(path)]
        if options.access != .public { words.append("--access \(options.access.rawValue)") }
        if options.layers != .one { words.append("--layers \(options.layers.rawValue)") }
        if options.domainModule != "Domain" { words.append("--domain-module \(options.domainModule)") }
        if options.parts != Set(SwiftModelOptions.Part.allCases) {
            words += options.parts.map { "--\($0.rawValue)" }.sorted()
        }
        if !options.prefix.isEmpty { words.append("--prefix \(options.prefix)") }
        return words.joined(separator: " ")
    }

    /// Returns the command without options and without folders, except for the folder of a data package.
    private static func source(_ path: String) -> String {
        let parts = path.withoutTrailingSlashes.split(separator: "/").map(String.init).filter { $0 != "." }
        var name = parts.last ?? "datapackage.json"
        if PathKind(path) == .directory, !parts.isEmpty { name += "/datapackage.json" }
        if name == "datapackage.json", parts.count > 1 { name = "\(parts[parts.count - 2])/\(name)" }
        return "strata model swift \(name)"
    }
}

/// The changes of generated files as a JSON object.
private struct CodeReport: Encodable {
    struct File: Encodable {
        let path: String
        let state: String
        let line: Int?
    }

    struct Note: Encodable {
        let entity: String
        let property: String?
        let message: String
    }

    let ok: Bool
    let files: [File]
    let notes: [Note]

    init(ok: Bool, _ changes: [CodeDirectory.Change], _ notes: [SwiftModelNote]) {
        self.ok = ok
        files = changes.map { File(path: $0.path, state: $0.kind.rawValue, line: $0.line) }
        self.notes = notes.map { Note(entity: $0.entity, property: $0.property, message: $0.message) }
    }
}
