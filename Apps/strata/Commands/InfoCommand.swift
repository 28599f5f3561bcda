import Foundation
import StrataPersistence
import StrataStoreKit

/// The command `strata info`, which prints a store's entities, size and format.
enum InfoCommand: Command {
    static let specification = CommandSpecification(
        name: "info",
        summary: "Show the entities of a store with row counts, its size and its format.",
        options: [
            Stores.storeOption, Models.option,
            .flag(
                "verbose",
                "Print the version of SQLite, its risks, and the size of the log.",
                details: "The output also has the reader that prevents the log from being reset.",
                letter: "v"),
        ] + ForeignDatabaseOptions.all,
        examples: ["strata info --store app.sqlite", "strata info -v --store app.sqlite"])

    static func run(_ arguments: ParsedArguments) throws {
        let description = try Stores.description(arguments).readOnly
        let text = try Stores.withContainer(description, try Models.model(arguments)) { container in
            let store = container.coordinator.store
            let information = try store.information()
            var rows = [("store", try Stores.name(arguments))]
            let format = information.formatVersion.map { ", format \($0)" } ?? ""
            if arguments.shownStore != nil {
                rows.append(("kind", "SQLite database of another program, which is only read"))
            } else {
                rows.append(("kind", information.kind + format))
                rows.append(("uuid", information.identifier.uuidString))
                if let size = information.byteCount { rows.append(("size", "\(size) bytes")) }
            }
            if arguments.has("verbose"), arguments.shownStore == nil { rows += details(information) }
            if let level = try store.history?.level(), level != .off { rows.append(("history", level.rawValue)) }
            let counts = try container.model.entities.map { entity in
                (entity.name, String(try store.count(StoreRequest(entity.name))))
            }
            return table(rows) + "\n" + table([("entity", "rows")] + counts, alignsRight: true)
        }
        try Console.print(text)
    }

    /// Returns the lines that `--verbose` adds.
    private static func details(_ information: StoreInformation) -> [(String, String)] {
        var rows: [(String, String)] = []
        if let library = information.library { rows.append(("library", library)) }
        rows += information.warnings.map { ("warning", $0) }
        if let log = information.log {
            rows.append(("log", "\(log.byteCount) bytes, \(log.unmovedByteCount) of them not yet in the file"))
        }
        if let reader = information.log?.reader {
            let process = reader.processID.map { "process \($0)" } ?? "a process"
            let name = reader.processName.map { " (\($0))" } ?? ""
            rows.append(("reader", "\(process)\(name) has held the log back for \(reader.age.components.seconds) s"))
        }
        return rows
    }

    /// Returns two columns; the second column is right-aligned for numbers.
    private static func table(_ rows: [(String, String)], alignsRight: Bool = false) -> String {
        let left = rows.map(\.0.count).max() ?? 0
        let right = rows.map(\.1.count).max() ?? 0
        return rows.map { name, value in
            let gap = String(repeating: " ", count: left - name.count + 2)
            let indentation = alignsRight ? String(repeating: " ", count: right - value.count) : ""
            return name + gap + indentation + value + "\n"
        }.joined()
    }
}
