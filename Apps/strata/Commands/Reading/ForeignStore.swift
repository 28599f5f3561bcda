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
        let paths = try paths(arguments)
        guard !paths.isEmpty else {
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
        var replaced = arguments
        var names: [String: String] = [:]
        for (number, path) in paths.enumerated() {
            let store = folder.url.appendingPathComponent("data\(number).sqlite")
            try TemporaryStores.filling(folder) { try fill(store, from: path, copyingTo: folder.url, arguments) }
            names[store.path] = path
            replaced.shownStore = path
            if arguments.value("store") != nil { replaced.values["store"] = [store.path] }
            replaced.positionals = replaced.positionals.map { $0 == path ? store.path : $0 }
        }
        do { try body(replaced) } catch var error as PersistenceError {
            error.path = error.path.map { names[$0] ?? $0 }
            throw error
        }
    }

    /// Returns the paths of the databases of other programs that the arguments name.
    private static func paths(_ arguments: ParsedArguments) throws -> [String] {
        guard arguments.command.options.contains(ForeignDatabaseOptions.all) else { return [] }
        // The datasets of an inference are no models.
        if isForModels(arguments), arguments.positional(0) == "infer" { return [] }
        let paths = isForModels(arguments) ? arguments.positionals : [arguments.value("store")].compactMap(\.self)
        return try Array(Set(paths.filter { try ForeignDatabase.isForeign($0) })).sorted()
    }

    /// Returns a Boolean value that indicates whether the command has models instead of a store as arguments.
    private static func isForModels(_ arguments: ParsedArguments) -> Bool {
        arguments.command.option(named: "store") == nil
    }

    /// Returns the model of a database.
    private static func opened(_ database: ForeignDatabase, _ path: String) throws -> Models.Opened {
        func model(hasJoins: Bool) throws -> ManagedObjectModel {
            let descriptor = JSONValue.object([("resources", .array(database.resources(hasJoins: hasJoins)))])
            return try Models.model(ofDescriptor: JSONTreeWriter.text(descriptor, .modelFile), path: path)
        }
        // A name of a many-to-many relationship can be that of another relationship, which only the model decides.
        do { return Models.Opened(model: try model(hasJoins: true)) } catch is ModelFailure {
            return Models.Opened(model: try model(hasJoins: false))
        }
    }

    /// Creates a store with the model and the rows of a database.
    private static func fill(_ store: URL, from path: String, copyingTo folder: URL, _ arguments: ParsedArguments)
        throws
    {
        let interruption = Interruption()
        let database = try ForeignDatabase(
            path, readsTimes: try arguments.choice("times", among: ["dates", "numbers"]) != "numbers",
            readsViews: arguments.has("views"), copyingTo: folder, isCancelled: interruption.isCancelled)
        defer { database.close() }
        if try arguments.choice("mixed", among: ["text", "error"]) == "error", let note = database.mixedColumns.first {
            throw PersistenceError(.corrupt, note, path: path)
        }
        if !arguments.has("quiet") { for note in database.notes { Console.note("\(path): \(note)") } }
        guard !database.tables.isEmpty else {
            throw PersistenceError(.notADatabase, "the database has no table that can be read", path: path)
        }
        let opened = try opened(database, path)
        // A command for models needs no rows.
        let sources = try (isForModels(arguments) ? [] : database.tables).map { table in
            let text = try database.text(of: table)
            let name =
                opened.model.entities.first { $0.external.name ?? $0.name == table.label }?.name
                ?? opened.model.joins.first { $0.hasDataset && $0.externalName == table.label }?.name
            let input = ByteInput(name: "\(path):\(table.label)", produce: text.read)
            var reading = ReadingOptions(format: .csv)
            // SQLite limits the length of each value.
            reading.maximumRecordBytes = .max
            return ImportSource(entity: name ?? table.label, input: input, reading: reading)
        }
        var quiet = arguments
        (quiet.values, quiet.flags) = ([:], ["quiet"])
        try ImportJob(.sqlite(at: store), opened, sources: sources, job: JobArguments(quiet), store: nil)
            .run(ImportOptions(format: .csv))
        try database.checkUnchanged()
    }
}
