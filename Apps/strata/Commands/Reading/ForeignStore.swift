import Foundation
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// A temporary store with the rows of a SQLite database that another program created.
enum ForeignStore {
    /// Runs a command with its arguments, in which a temporary store replaces a database of another program.
    ///
    /// - Throws: The errors of reading the database, and the error of `body`.
    static func replacing(_ arguments: ParsedArguments, _ body: (ParsedArguments) throws -> Void) throws {
        guard let path = try path(arguments) else {
            let names = ForeignDatabaseOptions.all.map(\.name)
            if let name = names.first(where: { arguments.value($0) != nil || arguments.has($0) }) {
                throw arguments.usageError(
                    "--\(name) can be used only for a SQLite database of another program")
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
        guard arguments.command.options.contains(ForeignDatabaseOptions.all) else { return nil }
        // The datasets of an inference are no models.
        if isForModels(arguments), arguments.positional(0) == "infer" { return nil }
        let paths = isForModels(arguments) ? arguments.positionals : [arguments.value("store")].compactMap(\.self)
        return try paths.first { try ForeignDatabase.isForeign($0) }
    }

    /// Returns a Boolean value that indicates whether the command has models instead of a store as arguments.
    private static func isForModels(_ arguments: ParsedArguments) -> Bool {
        arguments.command.option(named: "store") == nil
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
        let sources = try (isForModels(arguments) ? [] : database.tables).map { table in
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
