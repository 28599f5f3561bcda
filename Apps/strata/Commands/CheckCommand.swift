import Foundation
import StrataInterchange
import StrataPersistence
import Synchronization

/// `strata check`: whether a store is whole, and what of it can be rebuilt.
enum CheckCommand: Command {
    static let specification = CommandSpecification(
        name: "check",
        summary: "Look at all of a store: the file, every row, references, unique values, indexes; and repair it.",
        options: [
            Stores.storeOption,
            .flag(
                "repair",
                "Rebuild what can be without a guess: indexes, next identifiers, what the store knows of itself; all of it or "
                    + "nothing. Nobody else may have the store open."),
            .option(
                "format", placeholder: "FORMAT",
                help:
                    "text, a line for each fault and ok or their number as the last, or json, one object; text unless given.",
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
        let repairs = Mutex<[String]>([])
        var options = StoreCheckOptions()
        options.repairs = arguments.has("repair")
        options.isCancelled = interruption.isCancelled
        options.progress = { bar.show($0.rows, of: $0.totalRows, "rows") }
        options.didRepair = { done in repairs.withLock { $0.append(done) } }
        options.willCommit = interruption.finish
        let output = ByteOutput.standardOutput()
        var writer: any CheckWriter = isJSON ? JSONWriter(try arguments.required("store")) : TextWriter()
        var faultCount = 0
        var done: StoreCheckSummary?
        do {
            defer { bar.end() }
            let summary = try PersistentContainer.check(model: try Stores.model(), description, options: options) {
                faultCount += 1
                bar.end()
                for repair in repairs.withLock({ $0.takeAll() }) { try output.append(try writer.repair(repair)) }
                try output.append(try writer.fault($0))
            }
            done = summary
            bar.end()
            for repair in repairs.withLock({ $0.takeAll() }) { try output.append(try writer.repair(repair)) }
            try output.append(try writer.end(summary))
            try output.flush()
        } catch let error as InterchangeError where error.code == .closedPipe && faultCount > 0 {
            // Nobody wants to read more; that there is more is true all the same.
            throw FaultyStore()
        } catch var error as InterchangeError where error.code != .closedPipe && done?.repairs.isEmpty == false {
            error.message += "; what was repaired is stored"
            throw error
        }
        if faultCount > 0 { throw FaultyStore() }
    }
}

/// How a check is written to standard output, repairs before what is left.
private protocol CheckWriter {
    mutating func repair(_ done: String) throws -> [UInt8]
    mutating func fault(_ fault: StoreFault) throws -> [UInt8]
    mutating func end(_ summary: StoreCheckSummary) throws -> [UInt8]
}

/// A line for each, and the last one says it all.
private struct TextWriter: CheckWriter {
    func repair(_ done: String) -> [UInt8] { line(done) }
    func fault(_ fault: StoreFault) -> [UInt8] { line("\(fault)") }

    func end(_ summary: StoreCheckSummary) -> [UInt8] {
        line(summary.faultCount == 0 ? "ok" : "\(summary.faultCount) \(summary.faultCount == 1 ? "fault" : "faults")")
    }

    private func line(_ text: String) -> [UInt8] {
        Array((Console.escaped(text).replacing("\n", with: " ") + "\n").utf8)
    }
}

/// One object: `store`, `repairs`, `faults`, `rows`, `count` and `ok`, in this order, a line for each repair and fault.
private struct JSONWriter: CheckWriter {
    /// One fault; what is not known of it is left out.
    private struct Fault: Encodable {
        let kind: String
        let entity: String?
        let id: Int64?
        let attribute: String?
        let message: String
        let repairable: Bool
    }

    private let encoder = JSONEncoder()
    private let store: String
    private var isBegun = false
    private var hasFaults = false

    init(_ store: String) {
        self.store = store
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func repair(_ done: String) throws -> [UInt8] {
        let beginning = isBegun ? ",\n" : try head() + "\n"
        isBegun = true
        return Array(beginning.utf8) + Array(try encoder.encode(done))
    }

    mutating func fault(_ fault: StoreFault) throws -> [UInt8] {
        let beginning = hasFaults ? ",\n" : try beginFaults() + "\n"
        return Array(beginning.utf8)
            + Array(
                try encoder.encode(
                    Fault(
                        kind: fault.kind.rawValue, entity: fault.entity, id: fault.id, attribute: fault.attribute,
                        message: fault.message, repairable: fault.isRepairable)))
    }

    mutating func end(_ summary: StoreCheckSummary) throws -> [UInt8] {
        let beginning = hasFaults ? "" : try beginFaults()
        let (rows, count) = (summary.rowCount, summary.faultCount)
        return Array((beginning + "],\"rows\":\(rows),\"count\":\(count),\"ok\":\(count == 0)}\n").utf8)
    }

    private func head() throws -> String {
        "{\"store\":" + String(decoding: try encoder.encode(store), as: UTF8.self) + ",\"repairs\":["
    }

    private mutating func beginFaults() throws -> String {
        defer { (isBegun, hasFaults) = (true, true) }
        return (isBegun ? "" : try head()) + "],\"faults\":["
    }
}

extension [String] {
    /// All that there are, which are then gone.
    fileprivate mutating func takeAll() -> [String] {
        defer { self = [] }
        return self
    }
}
