import Foundation
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// A temporary store with the rows of a SQLite database that another program created.
enum ForeignStore {
    /// The commands that only read the store, and therefore accept a database of another program.
    private static let commands: Set<String> = [
        CopyCommand.specification.name, ExportCommand.specification.name, InfoCommand.specification.name,
        ModelCommand.specification.name, QueryCommand.specification.name, ReportCommand.specification.name,
        ShowCommand.specification.name, StatsCommand.specification.name,
    ]

    /// The options of these commands for a database of another program.
    static let options: [OptionSpecification] = [
        .option(
            "mixed", placeholder: "ACTION",
            help: "For columns with values of several kinds: text or error (default: text).",
            details: "SQLite accepts any value in any column. text reads all values of such a column as texts.",
            group: group, values: .words(["text", "error"])),
        .flag(
            "views", "Also read the views, as tables without keys.",
            details: "A view that cannot be read, or takes longer than a minute, is left out.", group: group),
    ]
    private static let group = "Reading a SQLite database of another program"

    /// Runs a command with its arguments, in which a temporary store replaces a database of another program.
    ///
    /// - Throws: The errors of reading the database, and the error of `body`.
    static func replacing(_ arguments: ParsedArguments, _ body: (ParsedArguments) throws -> Void) throws {
        guard let path = try path(arguments) else {
            if let option = options.first(where: { arguments.value($0.name) != nil || arguments.has($0.name) }) {
                throw arguments.usageError(
                    "--\(option.name) can be used only for a SQLite database of another program")
            }
            do { return try body(arguments) } catch var error as PersistenceError where error.code == .foreignStore {
                error.message += "; make a store of it with strata copy --store FILE --to STORE"
                throw error
            }
        }
        let folder = try TemporaryStores.folder()
        defer { TemporaryStores.remove(folder) }
        let store = folder.url.appendingPathComponent("data.sqlite")
        try fill(store, from: path, copyingTo: folder.url, arguments)
        var arguments = arguments
        arguments.shownStore = path
        if arguments.value("store") != nil { arguments.values["store"] = [store.path] }
        arguments.positionals = arguments.positionals.map { $0 == path ? store.path : $0 }
        do { try body(arguments) } catch var error as PersistenceError where error.path == store.path {
            error.path = path
            throw error
        }
    }

    /// Returns the path of the database of another program that the arguments name, or `nil` if they name none.
    private static func path(_ arguments: ParsedArguments) throws -> String? {
        guard commands.contains(arguments.command.name) else { return nil }
        let isModel = arguments.command.name == ModelCommand.specification.name
        // The datasets of an inference are no models.
        if isModel, arguments.positional(0) == "infer" { return nil }
        let paths = isModel ? arguments.positionals : [arguments.value("store")].compactMap(\.self)
        return try paths.first { try ForeignDatabase.isForeign($0) }
    }

    /// Creates a store with the model and the rows of a database.
    private static func fill(_ store: URL, from path: String, copyingTo folder: URL, _ arguments: ParsedArguments)
        throws
    {
        let interruption = Interruption()
        let database = try ForeignDatabase(
            path, readsViews: arguments.has("views"), copyingTo: folder, isCancelled: interruption.isCancelled)
        defer { database.close() }
        if try arguments.choice("mixed", among: ["text", "error"]) == "error", let note = database.mixedColumns.first {
            throw PersistenceError(.corrupt, note, path: path)
        }
        if !arguments.has("quiet") { for note in database.notes { Console.note("\(path): \(note)") } }
        guard !database.tables.isEmpty else {
            throw PersistenceError(.notADatabase, "the database has no table that can be read", path: path)
        }
        let descriptor = JSONValue.object([("resources", .array(database.tables.map(\.resource)))])
        let opened = Models.Opened(
            model: try Models.model(ofDescriptor: JSONTreeWriter.text(descriptor, .modelFile), path: path))
        // A command for models needs no rows.
        let isModel = arguments.command.name == ModelCommand.specification.name
        let sources = try (isModel ? [] : database.tables).map { table in
            let text = try database.text(of: table)
            let entity = opened.model.entities.first { $0.external.name ?? $0.name == table.name }
            let input = ByteInput(name: "\(path):\(table.name)", produce: text.read)
            return ImportSource(
                entity: entity?.name ?? table.name, input: input, reading: ReadingOptions(format: .csv))
        }
        var quiet = arguments
        (quiet.values, quiet.flags) = ([:], ["quiet"])
        try ImportJob(.sqlite(at: store), opened, sources: sources, job: JobArguments(quiet), store: nil)
            .run(ImportOptions(format: .csv))
        try database.checkUnchanged()
    }
}
