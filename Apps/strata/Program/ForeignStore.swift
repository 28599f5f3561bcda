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

    /// Runs a command with its arguments, in which a temporary store replaces a database of another program.
    ///
    /// - Throws: The errors of reading the database, and the error of `body`.
    static func replacing(_ arguments: ParsedArguments, _ body: (ParsedArguments) throws -> Void) throws {
        guard let path = try path(arguments) else { return try body(arguments) }
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
        let paths = isModel ? arguments.positionals : [arguments.value("store")].compactMap(\.self)
        return try paths.first { try ForeignDatabase.isForeign($0) }
    }

    /// Creates a store with the model and the rows of a database.
    private static func fill(_ store: URL, from path: String, copyingTo folder: URL, _ arguments: ParsedArguments) throws {
        let interruption = Interruption()
        let database = try ForeignDatabase(path, copyingTo: folder, isCancelled: interruption.isCancelled)
        defer { database.close() }
        if !arguments.has("quiet") { for note in database.notes { Console.note("\(path): \(note)") } }
        guard !database.tables.isEmpty else {
            throw PersistenceError(.notADatabase, "the database has no table that can be read", path: path)
        }
        let descriptor = JSONValue.object([("resources", .array(database.tables.map(\.resource)))])
        let opened = Models.Opened(
            model: try Models.model(ofDescriptor: JSONTreeWriter.text(descriptor, .modelFile), path: path))
        let sources = try database.tables.map { table in
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
