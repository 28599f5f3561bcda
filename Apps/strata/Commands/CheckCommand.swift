import Foundation
import StrataInterchange
import StrataPersistence

/// The command `strata check`, which checks a store and rebuilds the parts that can be rebuilt.
enum CheckCommand: Command {
    static let specification = CommandSpecification(
        name: "check",
        summary: "Check the file, rows, references, unique values and indexes of a store.",
        options: [
            Stores.storeOption, Models.option,
            .flag(
                "repair",
                "Rebuild indexes, next identifiers and internal data of the store.",
                details:
                    "Only what can be derived from the rows is rebuilt, all or nothing. No other process may have the "
                    + "store open."),
            .option(
                "format", placeholder: "FORMAT",
                help: "Print text or json (default: text).",
                details:
                    "text has a line for each fault and repair, and a last line with ok or the number of faults. json "
                    + "is one object.",
                values: .words(Format.allCases.map(\.rawValue))),
            Stores.busyTimeoutOption,
            .flag("quiet", "Show no progress on a terminal.", letter: "q"),
        ],
        examples: [
            "strata check --store app.sqlite",
            "strata check --store app.sqlite --repair",
            "strata check --store app.sqlite --format json",
        ])

    private enum Format: String, CaseIterable {
        case text, json
    }

    static func run(_ arguments: ParsedArguments) throws {
        let word = try arguments.choice("format", among: Format.allCases.map(\.rawValue))
        let isJSON = word == Format.json.rawValue
        var description = try Batches.description(arguments)
        if !arguments.has("repair") { description = description.readOnly }
        let interruption = Interruption()
        let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
        var options = StoreCheckOptions()
        options.repairs = arguments.has("repair")
        options.isCancelled = interruption.isCancelled
        options.progress = { bar.show($0.rows, of: $0.totalRows, "rows") }
        options.willCommit = interruption.finish
        let output = ByteOutput.standardOutput()
        var writer: any CheckWriter = isJSON ? JSONWriter(try Stores.name(arguments)) : TextWriter()
        var faultCount = 0
        var done: StoreCheckSummary?
        // An output error must not roll back a repair; the error is thrown after the repair is committed.
        var failure: InterchangeError?
        func write(_ bytes: [UInt8]) throws {
            guard failure == nil else { return }
            do {
                try output.append(bytes)
            } catch {
                if !arguments.has("repair") { throw error }
                failure = error
            }
        }
        let model = try Models.model(arguments)
        var container: PersistentContainer?
        // The container was opened only to read names; an error on closing it does not concern the check.
        defer { try? container?.close() }
        let names = RowNames(model) { [description] in
            let opened = try Stores.container(description.readOnly, model)
            container = opened
            return opened.coordinator.store
        }
        do {
            defer { bar.end() }
            let summary = try PersistentContainer.check(model: model, description, options: options) { fault in
                faultCount += 1
                bar.end()
                // The store is locked during a repair, so names cannot be read from it.
                let row: RowNames.Named? =
                    options.repairs ? nil : fault.id.flatMap { id in fault.entity.flatMap { names.name(of: id, $0) } }
                var fault = fault
                fault.rowName = row?.text
                try write(try writer.fault(fault, row))
            }
            done = summary
            bar.end()
            try write(try writer.end(summary))
            for warning in summary.warnings where !isJSON { Console.note("warning: \(warning)") }
            if let failure { throw failure }
            try output.flush()
        } catch let error as InterchangeError where error.code == .closedPipe && faultCount > 0 {
            // The reader closed the pipe; the exit code still reports that faults were found.
            throw FaultyStore()
        } catch var error as InterchangeError where error.code != .closedPipe && done?.repairs.isEmpty == false {
            error.message += "; the repairs before this error are stored"
            throw error
        }
        if faultCount > 0 { throw FaultyStore() }
    }
}

/// A writer of the results of a check: the remaining faults, and the repairs after they are committed.
private protocol CheckWriter {
    mutating func fault(_ fault: StoreFault, _ row: RowNames.Named?) throws -> [UInt8]
    mutating func end(_ summary: StoreCheckSummary) throws -> [UInt8]
}

/// A writer of one line for each result; the last line is a summary.
private struct TextWriter: CheckWriter {
    func fault(_ fault: StoreFault, _ row: RowNames.Named?) -> [UInt8] { line("\(fault)") }

    func end(_ summary: StoreCheckSummary) -> [UInt8] {
        let count = summary.faultCount
        let last = count == 0 ? "ok" : "\(count) \(count == 1 ? "fault" : "faults")"
        return (summary.repairs + summary.failures + [last]).flatMap(line)
    }

    private func line(_ text: String) -> [UInt8] {
        Array((Console.escaped(text).replacing("\n", with: " ") + "\n").utf8)
    }
}

/// A writer of a JSON object with one line for each fault, repair, failure and warning.
///
/// The keys are `store`, `faults`, `repairs`, `failures`, `warnings`, `rows`, `count` and `ok`, in this order.
private struct JSONWriter: CheckWriter {
    /// A fault of the store; properties without a value are omitted from the JSON.
    private struct Fault: Encodable {
        let kind: String
        let entity: String?
        let id: Int64?
        /// The identifier of the faulty row, if files identify rows of the entity by another key.
        let row: Int64?
        /// The key by which files identify the faulty row, by the names of the key's columns in files.
        let key: [String: String]?
        let attribute: String?
        let message: String
        let repairable: Bool

        enum CodingKeys: String, CodingKey {
            case kind, entity, id, key, attribute, message, repairable
            case row = "_row"
        }
    }

    private let encoder = JSONEncoder()
    private let store: String
    private var isBegun = false

    init(_ store: String) {
        self.store = store
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func fault(_ fault: StoreFault, _ row: RowNames.Named?) throws -> [UInt8] {
        let key = row?.key.map { key in
            Dictionary(
                key.map { name, value in
                    if case .string(let text) = value { (name, text) } else { (name, value.description) }
                }, uniquingKeysWith: { first, _ in first })
        }
        let beginning = isBegun ? ",\n" : try head() + "\n"
        isBegun = true
        return Array(beginning.utf8)
            + Array(
                try encoder.encode(
                    Fault(
                        kind: fault.kind.rawValue, entity: fault.entity, id: row == nil ? fault.id : nil,
                        row: row == nil ? nil : fault.id, key: key, attribute: fault.attribute,
                        message: fault.message, repairable: fault.isRepairable)))
    }

    func end(_ summary: StoreCheckSummary) throws -> [UInt8] {
        let (rows, count) = (summary.rowCount, summary.faultCount)
        let (repairs, failures) = (try list(summary.repairs), try list(summary.failures))
        let warnings = try list(summary.warnings)
        let end =
            "],\"repairs\":\(repairs),\"failures\":\(failures),\"warnings\":\(warnings),"
            + "\"rows\":\(rows),\"count\":\(count),\"ok\":\(count == 0)}\n"
        return Array(((isBegun ? "" : try head()) + end).utf8)
    }

    private func head() throws -> String {
        "{\"store\":" + String(decoding: try encoder.encode(store), as: UTF8.self) + ",\"faults\":["
    }

    private func list(_ sentences: [String]) throws -> String {
        let lines = try sentences.map { "\n" + String(decoding: try encoder.encode($0), as: UTF8.self) }
        return "[" + lines.joined(separator: ",") + "]"
    }
}
