import Foundation
import Interchange
import Persistence

/// `strata import`: a dataset into a store, all of it or nothing.
enum ImportCommand: Command {
    static let specification = CommandSpecification(
        name: "import",
        summary: "Read a CSV or JSON dataset into a store, all of it or nothing.",
        positionals: [PositionalSpecification(placeholder: "FILE", help: "The dataset; - reads standard input.")],
        options: [
            Stores.entityOption,
            .option("store", "FILE", "The SQLite store; made where there is none.", isRequired: true),
            Stores.formatOption("the file's ending says which unless given"),
            .option(
                "map", "COLUMN=ATTRIBUTE", "Take a column of the file as this attribute, as in employee_id=id.",
                isRepeatable: true),
            .flag("ignore-unknown-columns", "Drop columns that match no attribute, and say which."),
            Stores.busyTimeoutOption,
            .option("root", "KEY", "The key under which a JSON document holds its array, as in colors."),
        ],
        examples: [
            "strata import colors.csv --entity Color --store app.sqlite",
            "strata import xkcd.json --entity Color --store app.sqlite --root colors --map color=name",
            "strata export --entity Boss --store a.sqlite | strata import - --format csv --entity Boss --store b.sqlite",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let file = arguments.positional(0) ?? "-"
        let entity = try Stores.entity(arguments)
        var description = try Stores.description(arguments)
        if let seconds = try arguments.integer("busy-timeout", in: Stores.busyTimeouts) {
            description.busyTimeout = .seconds(seconds)
        }
        let interruption = Interruption()
        var options = ImportOptions(
            format: try Stores.format(arguments, file: file == "-" ? nil : file, otherwise: nil))
        options.reading.mapping = try mapping(arguments)
        try check(options, entity, arguments)
        options.reading.ignoresUnknownColumns = arguments.has("ignore-unknown-columns")
        options.reading.root = arguments.value("root")
        options.isCancelled = interruption.isCancelled
        options.willCommit = interruption.finish
        if options.reading.root != nil, options.reading.format.isTable {
            throw arguments.usageError("--root is for JSON; a CSV file is its own table")
        }

        // Opened before the store, so that a file that is not there leaves no empty store behind.
        let input = file == "-" ? ByteInput.standardInput() : try ByteInput(path: file)
        let path = description.url?.path ?? ""
        let isNew = !FileManager.default.fileExists(atPath: path)
        do {
            let summary = try Stores.withContainer(description) { container in
                try DatasetImporter(entity: entity.name, container: container, options: options).run(input)
            }
            report(summary, entity, file, try arguments.required("store"))
        } catch {
            if isNew { removeEmptyStore(description) }
            throw hinted(error, entity, options)
        }
    }

    private static func mapping(_ arguments: ParsedArguments) throws -> [String: String] {
        var mapping: [String: String] = [:]
        for pair in arguments.allValues("map") {
            // The last sign divides: a column may be called anything, an attribute is a word.
            guard let sign = pair.lastIndex(of: "="), sign != pair.startIndex, pair.index(after: sign) != pair.endIndex
            else {
                throw arguments.usageError("option --map: \"\(pair)\" is not COLUMN=ATTRIBUTE")
            }
            let column = String(pair[..<sign])
            guard mapping.updateValue(String(pair[pair.index(after: sign)...]), forKey: column) == nil else {
                throw arguments.usageError("option --map: the column \"\(column)\" is given twice")
            }
        }
        return mapping
    }

    /// Makes sure that every `--map` names an attribute, before anything is opened.
    private static func check(
        _ options: ImportOptions, _ entity: EntityDescription, _ arguments: ParsedArguments
    ) throws(UsageError) {
        do throws(InterchangeError) {
            try options.reading.check(for: entity)
        } catch {
            throw arguments.usageError("option --map: \(error.message)")
        }
    }

    /// How many dropped columns are named.
    private static let mostNames = 20

    private static func report(_ summary: ImportSummary, _ entity: EntityDescription, _ file: String, _ store: String) {
        if !summary.ignoredColumns.isEmpty {
            let shown = summary.ignoredColumns.prefix(mostNames).joined(separator: ", ")
            let more = summary.ignoredColumns.count > mostNames ? " and others" : ""
            Console.note("ignored columns: \(shown)\(more)")
        }
        let noun = summary.count == 1 ? "record" : "records"
        Console.note(
            "imported \(summary.count) \(entity.name) \(noun) from \(file == "-" ? "standard input" : file) into \(store)"
        )
    }

    /// A failed import into a new store leaves none.
    ///
    /// Where another process uses the store already, or has put rows in it, it stays.
    private static func removeEmptyStore(_ description: PersistentStoreDescription) {
        try? PersistentContainer.destroyPersistentStore(description, onlyIfEmpty: true)
    }

    /// Says with which option a header that does not match can be made to.
    private static func hinted(_ error: any Error, _ entity: EntityDescription, _ options: ImportOptions) -> any Error {
        guard var error = error as? InterchangeError, error.code == .columns else { return error }
        let what = options.reading.format.isTable ? "column" : "key"
        error.message += "\n\(entity.name) has \(entity.datasetColumns.joined(separator: ", "));"
        error.message += " rename a \(what) with --map \(what.uppercased())=ATTRIBUTE"
        if !options.reading.ignoresUnknownColumns {
            error.message += ", drop unknown ones with --ignore-unknown-columns"
        }
        return error
    }
}
