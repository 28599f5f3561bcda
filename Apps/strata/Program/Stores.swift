import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The options and functions for stores that several commands share.
enum Stores {
    static let entityOption = OptionSpecification.option(
        "entity", placeholder: "NAME",
        help: "Use the entity NAME, in upper or lower case.",
        details: "The command strata info lists the entities of a store.",
        isRequired: true,
        values: .entity)
    static let storeOption = OptionSpecification.option(
        "store", placeholder: "FILE",
        help: "Use the store FILE: SQLite, XML, binary or a PostgreSQL URL.",
        details: "If the name ends in .stxml or .stbin, the store is an XML or a binary file; otherwise it is a SQLite "
            + "database. The URL of a store on a server is postgresql://HOST/DATABASE?schema=NAME; it requires a "
            + "strata that was built with PostgreSQL.",
        isRequired: true, values: .file)

    static let busyTimeoutOption = OptionSpecification.option(
        "busy-timeout", placeholder: "SECONDS",
        help: "Wait SECONDS for a store that another process has locked (default: 5).",
        details: "The maximum is \(busyTimeouts.upperBound) seconds.")
    /// The allowed timeouts; one hour is longer than any practical value.
    static let busyTimeouts = 0...3600

    /// The options that control the amount of messages.
    static let talkOptions: [OptionSpecification] = [
        .flag("quiet", "Print only errors.", letter: "q"),
        verboseOption,
    ]
    static let verboseOption = OptionSpecification.flag("verbose", "Print additional details.", letter: "v")

    /// Returns the time to wait for another process's lock, or `nil` if it was not given.
    static func busyTimeout(_ arguments: ParsedArguments) throws -> Duration? {
        try arguments.integer("busy-timeout", in: busyTimeouts).map { .seconds($0) }
    }

    /// Returns the separator named by `--delimiter`.
    static func separator(_ arguments: ParsedArguments) throws -> CSVSeparator? {
        guard let text = arguments.value("delimiter") else { return nil }
        if ["tab", "\\t"].contains(text.lowercased()) { return .tab }
        guard let byte = text.utf8.first, text.utf8.count == 1 else {
            throw arguments.usageError("option --delimiter: \"\(text)\" is not one ASCII character, or tab")
        }
        do throws(InterchangeError) {
            return try CSVSeparator(byte)
        } catch {
            throw arguments.usageError("option --delimiter: \(error.message)")
        }
    }

    static func formatOption(_ otherwise: String) -> OptionSpecification {
        .option(
            "format", placeholder: "FORMAT", help: "Use csv, tsv, json or ndjson (default: \(otherwise)).",
            values: .words(DatasetFormat.allCases.map(\.rawValue)))
    }

    /// Returns the description of the store named by `--store` or by another option.
    static func description(
        _ arguments: ParsedArguments, option: String = "store"
    ) throws -> PersistentStoreDescription {
        let path = try path(arguments, option: option)
        StorePlace.warn(path)
        return try StorePlace(path).description
    }

    /// Returns the value of an option that names a store.
    ///
    /// - Throws: ``UsageError`` if the option is missing or empty.
    static func path(_ arguments: ParsedArguments, option: String = "store") throws -> String {
        let path = try arguments.required(option)
        guard !path.isEmpty else { throw arguments.usageError("option --\(option) is empty; name a file") }
        return path
    }

    /// Returns a Boolean value that indicates whether a store exists or, for a file, whether any file exists.
    static func exists(_ description: PersistentStoreDescription) throws -> Bool {
        if let url = description.url { return FileManager.default.fileExists(atPath: url.path) }
        do {
            _ = try PersistentContainer.metadata(of: description)
            return true
        } catch let error as PersistenceError where error.code == .storeNotFound {
            return false
        }
    }

    /// Returns the name in messages of the store named by `--store`.
    static func name(_ arguments: ParsedArguments) throws -> String {
        try arguments.shownStore ?? StorePlace(arguments.required("store")).name
    }

    /// Returns the entity named by `--entity`: its name in files, or its name in the model in any case.
    static func entity(
        _ arguments: ParsedArguments, in model: ManagedObjectModel, option: String = "entity"
    ) throws -> EntityDescription {
        try entity(named: try arguments.required(option), in: model, arguments)
    }

    /// Returns the entity with a name: its name in files, or its name in the model in any case.
    static func entity(
        named name: String, in model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws -> EntityDescription {
        let entity =
            model.entities.first { $0.external.name == name }
            ?? model.entities.first { NameMatching.folded($0.name) == NameMatching.folded(name) }
        if let entity { return entity }
        let names = model.entities.map(\.name)
        let nearest = NameMatching.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? "."
        throw arguments.usageError(
            "there is no entity \"\(name)\"\(nearest) The entities are \(names.joined(separator: ", ")).")
    }

    /// Returns the format named by `--format`, or that of the file extension, or else the default if there is one.
    static func format(_ arguments: ParsedArguments, file: String?, otherwise: DatasetFormat?) throws -> DatasetFormat {
        if let word = try arguments.choice("format", among: DatasetFormat.allCases.map(\.rawValue)),
            let format = DatasetFormat(rawValue: word)
        {
            return format
        }
        if let file, let format = DatasetFormat(fileName: file) { return format }
        // The default applies to a name without an extension, but not to a name with an unknown extension.
        if let otherwise, file.map({ !hasEnding($0) }) ?? true { return otherwise }
        let what =
            file.map { "the name \"\($0)\" does not end with .csv, .tsv, .json or .ndjson" }
            ?? "standard input has no name"
        throw arguments.usageError("\(what), so the format is not known; use --format csv, tsv, json or ndjson")
    }

    /// Returns a Boolean value that indicates whether a file name has an extension before that of its compression.
    private static func hasEnding(_ path: String) -> Bool {
        var name = path.split(separator: "/").last ?? ""
        for compression in [".gz", ".zst", ".zstd"] where name.lowercased().hasSuffix(compression) {
            name = name.dropLast(compression.count)
            break
        }
        return name.dropFirst().lastIndex(of: ".").map { name.index(after: $0) != name.endIndex } ?? false
    }

    /// Returns a count with its noun, such as `1 Boss record`.
    static func counted(_ count: Int, _ entity: String) -> String {
        "\(count) \(entity) \(count == 1 ? "record" : "records")"
    }

    /// Returns the total number of rows in a store.
    static func rowCount(_ container: PersistentContainer) throws -> Int {
        try container.model.entities.reduce(0) { try $0 + container.coordinator.store.count(StoreRequest($1.name)) }
    }

    /// Opens a container, runs `body` with it, and closes it even if `body` throws.
    static func withContainer<Result>(
        _ description: PersistentStoreDescription, _ model: ManagedObjectModel,
        _ body: (PersistentContainer) throws -> Result
    ) throws -> Result {
        try using(try container(description, model), body)
    }

    /// Opens a store.
    static func container(
        _ description: PersistentStoreDescription, _ model: ManagedObjectModel
    ) throws -> PersistentContainer {
        var description = description
        description.author = "strata"
        return try PersistentContainer(model: model, description, mainQueue: .private)
    }

    /// Runs `body` with a container, and closes the container even if `body` throws.
    static func using<Result>(_ container: PersistentContainer, _ body: (PersistentContainer) throws -> Result) throws
        -> Result
    {
        let result: Result
        do {
            result = try body(container)
        } catch {
            // The error of `body` takes precedence over an error of closing the container.
            let store = container.coordinator.store
            let named = (error as? PersistenceError).map { RowNames(container.model) { store }.naming($0) }
            try? container.close()
            throw named ?? error
        }
        try container.close()
        return result
    }
}
