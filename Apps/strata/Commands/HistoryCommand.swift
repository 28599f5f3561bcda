import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The command `strata history`, which prints the transactions of a store's history and controls the history.
enum HistoryCommand: Command {
    private static let readGroup = "Reading the history"
    private static let changeGroup = "Changing the history"
    private static let pageSize = 100

    static let specification = CommandSpecification(
        name: "history",
        summary: "Print the transactions that changed a store, and turn its history on or off.",
        options: [
            Stores.storeOption, Models.option,
            .option(
                "after", placeholder: "TOKEN", help: "Print the transactions after TOKEN (default: all).",
                details: "The last line of the output of an earlier command has a token. If transactions after it were "
                    + "deleted, or the store was copied or replaced meanwhile, the command exits with status 65: read "
                    + "all data again, and continue after a new token.",
                group: readGroup),
            .option(
                "entity", placeholder: "NAME", help: "Print only the changes of the entity NAME.", isRepeatable: true,
                group: readGroup, values: .entity),
            .option(
                "author", placeholder: "NAME", help: "Print only the transactions of the author NAME.",
                details: "Commands of strata have the author strata; a program sets its author in the description of "
                    + "the store.", group: readGroup),
            .option(
                "limit", placeholder: "N", help: "Print at most N transactions (default: all).", group: readGroup),
            .option(
                "format", placeholder: "FORMAT",
                help: "Print text or ndjson, one JSON object for each transaction (default: text).",
                group: readGroup, values: .words(Format.allCases.map(\.rawValue))),
            .flag("token", "Print only the token of the newest transaction.", group: readGroup),
            .flag("consumers", "Print the consumers of the history and their positions.", group: readGroup),
            .option(
                "enable", placeholder: "LEVEL",
                help: "Keep a history: changes, or values to keep earlier values too.",
                details: "The history belongs to the store: every program that writes the store continues it. Earlier "
                    + "versions of strata cannot open a store with a history, and programs that have the store open "
                    + "must open it again.",
                group: changeGroup, values: .words([HistoryLevel.changes.rawValue, HistoryLevel.values.rawValue])),
            .flag("disable", "Discard the history, and keep none.", group: changeGroup),
            .option(
                "delete-before", placeholder: "TOKEN",
                help: "Delete the transactions before that of TOKEN.",
                details: "Transactions that a consumer has not processed are kept; the command names the consumer.",
                group: changeGroup),
            .flag(
                "force", "With --delete-before: also delete what consumers have not processed.", group: changeGroup),
            Stores.busyTimeoutOption,
            .flag("quiet", "Print only errors and the requested output.", letter: "q"),
        ],
        examples: [
            "strata history --store app.sqlite --enable changes",
            "strata history --store tracked.sqlite --entity Employee --limit 10",
            "strata history --store tracked.sqlite --format ndjson",
            "strata history --store tracked.sqlite --consumers",
        ])

    private enum Format: String, CaseIterable {
        case text, ndjson
    }

    static func run(_ arguments: ParsedArguments) throws {
        let description = try Batches.description(arguments)
        let model = try Models.model(arguments)
        let tasks = ["enable", "disable", "delete-before", "consumers", "token"].filter {
            arguments.has($0) || arguments.value($0) != nil
        }
        if tasks.count > 1 { throw arguments.usageError("--\(tasks[0]) and --\(tasks[1]) cannot be combined") }
        if arguments.has("force"), tasks != ["delete-before"] {
            throw arguments.usageError("--force requires --delete-before")
        }
        let reading = ["after", "entity", "author", "limit", "format"].first { !arguments.allValues($0).isEmpty }
        if let reading, let task = tasks.first {
            throw arguments.usageError("--\(reading) and --\(task) cannot be combined")
        }
        switch tasks.first {
        case "enable":
            let level = try arguments.choice("enable", among: [HistoryLevel.changes, .values].map(\.rawValue))
            try set(level.flatMap(HistoryLevel.init) ?? .changes, of: description, model: model, arguments)
        case "disable": try set(.off, of: description, model: model, arguments)
        case "delete-before": try delete(from: description, model: model, arguments)
        case "consumers":
            try Stores.withContainer(description.readOnly, model) { container in
                for position in try container.historyConsumers() {
                    let consumer = TableCell.escaped(position.consumer)
                    try Console.print("\(consumer)\t\(position.token)\t\(Self.text(of: position.date))\n")
                }
            }
        case "token":
            try Stores.withContainer(description.readOnly, model) { try Console.print("\($0.historyToken())\n") }
        default: try read(description, model: model, arguments)
        }
    }

    // MARK: Changing

    private static func set(
        _ level: HistoryLevel, of description: PersistentStoreDescription, model: ManagedObjectModel,
        _ arguments: ParsedArguments
    ) throws {
        let old = try Stores.withContainer(description.readOnly, model) { try $0.historyLevel() }
        if old == .off, level != .off, !arguments.has("quiet") {
            Console.note("note: earlier versions of strata cannot open a store with a history")
        }
        try PersistentContainer.setHistory(level, of: description, model: model)
        guard !arguments.has("quiet") else { return }
        let name = try Stores.name(arguments)
        if level == .off {
            return Console.note(
                "\(name): " + (old == .off ? "the store keeps no history" : "the history was discarded"))
        }
        Console.note("\(name): the store keeps the history of \(level == .values ? "changes and values" : "changes")")
    }

    private static func delete(
        from description: PersistentStoreDescription, model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws {
        let token = try token("delete-before", arguments)
        let blocking = try Stores.withContainer(description, model) {
            try $0.deleteHistory(before: token, isForced: arguments.has("force"))
        }
        guard let blocking, !arguments.has("quiet") else { return }
        Console.note(
            "note: the consumer \(blocking.consumer) has not processed all of these transactions; those after its "
                + "position \(blocking.token) were kept. Use --force to delete them too")
    }

    private static func token(_ option: String, _ arguments: ParsedArguments) throws -> HistoryToken {
        let text = try arguments.required(option)
        guard let token = HistoryToken(text) else {
            throw arguments.usageError("option --\(option): \"\(text)\" is not a history token")
        }
        return token
    }

    // MARK: Reading

    private static func read(
        _ description: PersistentStoreDescription, model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws {
        let interruption = Interruption()
        var token = try arguments.value("after").map { _ in try self.token("after", arguments) }
        let format =
            try arguments.choice("format", among: Format.allCases.map(\.rawValue)).flatMap(Format.init) ?? .text
        var rest = try arguments.integer("limit", in: 0...Int.max) ?? .max
        try Stores.withContainer(description.readOnly, model) { container in
            var request = HistoryRequest(author: arguments.value("author"))
            // A join table of a many-to-many relationship has entries too.
            let names = try arguments.allValues("entity").map { name in
                try container.model.joins.first { $0.name == name }?.name
                    ?? Stores.entity(named: name, in: container.model, arguments).name
            }
            if !names.isEmpty { request.entities = Set(names) }
            let store = container.coordinator.store
            guard let history = store.history else {
                throw PersistenceError(
                    .notTracked, "this kind of store cannot keep a history; copy it to a SQLite store with strata copy",
                    path: description.url?.path)
            }
            let rows = RowNames(container.model) { store }
            let output = ByteOutput.standardOutput()
            while rest > 0 {
                let found = try history.transactions(after: token, limit: min(rest, pageSize), request)
                for transaction in found {
                    if interruption.isCancelled() { throw Interrupted(message: "interrupted; the store was only read") }
                    let entry = Entry(transaction, in: container.model, rows)
                    switch format {
                    case .ndjson: try output.append(Array((try entry.line() + "\n").utf8))
                    case .text: try output.append(Array(entry.text().utf8))
                    }
                }
                rest -= found.count
                token = found.last?.token ?? token
                if found.count < pageSize { break }
            }
            try output.flush()
            if format == .text, !arguments.has("quiet") {
                Console.note("the newest transaction has the token \(try history.newestToken())")
            }
        }
    }

    fileprivate static func text(of date: Date) -> String { TableCell.written(.date(date)) }
}

/// A transaction as the command prints it, with the names of files.
private struct Entry: Encodable {
    struct Change: Encodable {
        let kind: String
        let entity: String
        let first: Int64?
        let last: Int64?
        let target: Int64?
        /// The key of one row that still exists, if files contain it instead of the identifier.
        let key: [String: String]?
        let columns: [String]?
        let before: [String: String]?
        /// The name of the row in a message.
        var name: String?

        enum CodingKeys: CodingKey {
            case kind, entity, first, last, target, key, columns, before
        }
    }

    let token: HistoryToken
    let date: String
    let author: String?
    let context: String?
    let process: String
    let changes: [Change]

    init(_ transaction: HistoryTransaction, in model: ManagedObjectModel, _ rows: RowNames) {
        token = transaction.token
        date = HistoryCommand.text(of: transaction.date)
        (author, context, process) = (transaction.author, transaction.context, transaction.process)
        changes = transaction.changes.map { change in
            let entity = model[change.entity]
            func external(_ name: String) -> String {
                entity?.columns.first { $0.name == name }?.externalName ?? name
            }
            let ids = change.identifiers
            let named = ids.flatMap { ids in
                ids.count == 1 && change.kind != .delete ? rows.name(of: ids.lowerBound, change.entity) : nil
            }
            return Change(
                kind: change.kind.rawValue, entity: entity?.external.name ?? change.entity, first: ids?.lowerBound,
                last: ids?.upperBound, target: change.target,
                key: named?.key.map { key in
                    Dictionary(key.map { ($0.0, Self.text(of: $0.1) ?? "") }, uniquingKeysWith: { $1 })
                },
                columns: change.columns?.map(external),
                before: change.before.isEmpty
                    ? nil
                    : Dictionary(
                        change.before.compactMap { name, value in Self.text(of: value).map { (external(name), $0) } },
                        uniquingKeysWith: { $1 }), name: named?.text)
        }
    }

    private static func text(of value: StoredValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        default: TableCell.written(value)
        }
    }

    /// Returns the transaction as one line of JSON without a line break.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Returns the transaction as a line, followed by an indented line for each change.
    func text() -> String {
        let writer = [author, context].compactMap(\.self).joined(separator: ", ")
        var text = TableCell.escaped("\(date)  \(writer.isEmpty ? process : writer)  \(token)") + "\n"
        for change in changes {
            var line = "  \(change.kind) \(change.entity)"
            if let first = change.first, let last = change.last {
                line += first == last ? " \(change.name ?? "\(first)")" : " \(first) to \(last)"
                if let target = change.target { line += " and \(target)" }
            }
            if let columns = change.columns { line += ": " + columns.joined(separator: ", ") }
            if let before = change.before {
                let values = before.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
                line += " (before: " + values.joined(separator: ", ") + ")"
            }
            text += TableCell.escaped(line) + "\n"
        }
        return text
    }
}
