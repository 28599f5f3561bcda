import Foundation
import StrataInterchange
import StrataPersistence

/// The options and look-ups that several commands share.
enum Stores {
    static let entityOption = OptionSpecification.option(
        "entity", placeholder: "NAME",
        help: "The entity, in upper or lower case; strata info lists those of a store.",
        isRequired: true,
        values: .entity)
    static let storeOption = OptionSpecification.option(
        "store", placeholder: "FILE",
        help:
            "The store: a SQLite file, or an XML or binary one where the name ends in .stxml or .stbin; or postgresql://HOST/DATABASE?schema=NAME "
            + "where strata was built with it.",
        isRequired: true, values: .file)

    static let busyTimeoutOption = OptionSpecification.option(
        "busy-timeout", placeholder: "SECONDS",
        help: "How long to wait while another process holds the store; 5 unless given.")
    /// An hour is longer than anybody waits.
    static let busyTimeouts = 0...3600

    /// How much a command says.
    static let talkOptions: [OptionSpecification] = [
        .flag("quiet", "Say nothing but errors.", letter: "q"),
        .flag("verbose", "Say also what usually goes without saying.", letter: "v"),
    ]

    /// How long to wait for another process; nil where it was not given.
    static func busyTimeout(_ arguments: ParsedArguments) throws -> Duration? {
        try arguments.integer("busy-timeout", in: busyTimeouts).map { .seconds($0) }
    }

    /// The separator named by `--delimiter`.
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
            "format", placeholder: "FORMAT", help: "csv, tsv, json or ndjson; \(otherwise).",
            values: .words(DatasetFormat.allCases.map(\.rawValue)))
    }

    /// The store named by `--store`, or by another option.
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

    /// Whether there is a store, or for one in a file anything.
    static func exists(_ description: PersistentStoreDescription) throws -> Bool {
        if let url = description.url { return FileManager.default.fileExists(atPath: url.path) }
        do {
            _ = try PersistentContainer.metadata(of: description)
            return true
        } catch let error as PersistenceError where error.code == .storeNotFound {
            return false
        }
    }

    /// What messages call the store named by `--store`.
    static func name(_ arguments: ParsedArguments) throws -> String { try StorePlace(arguments.required("store")).name }

    /// The entity named by `--entity`: what files call it, or the model's name whatever its case.
    static func entity(
        _ arguments: ParsedArguments, in model: ManagedObjectModel, option: String = "entity"
    ) throws -> EntityDescription {
        let name = try arguments.required(option)
        let entity =
            model.entities.first { $0.external.name == name }
            ?? model.entities.first { NameMatching.folded($0.name) == NameMatching.folded(name) }
        if let entity { return entity }
        let names = model.entities.map(\.name)
        let nearest = NameMatching.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? "."
        throw arguments.usageError(
            "there is no entity \"\(name)\"\(nearest) The entities are \(names.joined(separator: ", ")).")
    }

    /// The format named by `--format`, or by a file's ending, or the default where there is one.
    static func format(_ arguments: ParsedArguments, file: String?, otherwise: DatasetFormat?) throws -> DatasetFormat {
        if let word = try arguments.choice("format", among: DatasetFormat.allCases.map(\.rawValue)),
            let format = DatasetFormat(rawValue: word)
        {
            return format
        }
        if let file, let format = DatasetFormat(fileName: file) { return format }
        // A name without an ending says nothing; one with another ending says something else.
        if let otherwise, file.map({ !hasEnding($0) }) ?? true { return otherwise }
        let what =
            file.map { "the name \"\($0)\" does not end with .csv, .tsv, .json or .ndjson" }
            ?? "standard input has no name"
        throw arguments.usageError("\(what), so the format is not known; say --format csv, tsv, json or ndjson")
    }

    /// Whether a file's name has an ending, what compressed files end with looked through.
    private static func hasEnding(_ path: String) -> Bool {
        var name = path.split(separator: "/").last ?? ""
        for compression in [".gz", ".zst", ".zstd"] where name.lowercased().hasSuffix(compression) {
            name = name.dropLast(compression.count)
            break
        }
        return name.dropFirst().lastIndex(of: ".").map { name.index(after: $0) != name.endIndex } ?? false
    }

    /// A number of records, as in `1 Boss record`.
    static func counted(_ count: Int, _ entity: String) -> String {
        "\(count) \(entity) \(count == 1 ? "record" : "records")"
    }

    /// How many rows a store has in all.
    static func rowCount(_ container: PersistentContainer) throws -> Int {
        try container.model.entities.reduce(0) { try $0 + container.coordinator.store.count(StoreRequest($1.name)) }
    }

    /// Runs `body` with the loaded container and closes it, whatever happens.
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
        try PersistentContainer(model: model, description, mainQueue: .private)
    }

    /// Runs `body` with a container and closes it, whatever happens.
    static func using<Result>(_ container: PersistentContainer, _ body: (PersistentContainer) throws -> Result) throws
        -> Result
    {
        let result: Result
        do {
            result = try body(container)
        } catch {
            // The error that is under way says what matters; closing after it can only add noise.
            let store = container.coordinator.store
            let named = (error as? PersistenceError).map { RowNames(container.model) { store }.naming($0) }
            try? container.close()
            throw named ?? error
        }
        try container.close()
        return result
    }
}
