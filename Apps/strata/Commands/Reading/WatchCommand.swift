import Dispatch
import Foundation
import StrataFiles
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The command `strata watch`, which prints the changes of an entity's records until it is interrupted.
enum WatchCommand: Command {
    /// The longest time between two checks for a signal or a closed pipe.
    private static let tick = DispatchTimeInterval.milliseconds(100)
    /// The shortest time between two reads of a store on a server.
    private static let serverInterval = Duration.seconds(1)

    static let specification = CommandSpecification(
        name: "watch",
        summary: "Print each change of an entity's records as one JSON object, until interrupted.",
        options: [
            Stores.entityOption, Stores.storeOption, Models.option, Selection.whereOption, Selection.columnsOption,
            .flag(
                "initial", "First print the current records, as insertions.",
                details: "Without the option, only later changes are printed."),
        ],
        guide: HelpGuide(
            title: "The output",
            blocks: [
                .text(
                    "Each line is an object with the members change (insert, update or delete), entity and record. "
                        + "The record has the values that an export writes; for a deletion, the last ones. With "
                        + "--where, a record that begins to match is an insertion, and one that ceases to match is a "
                        + "deletion. Changes that follow each other quickly are combined. A change of a related "
                        + "record is not one of the record."),
                .text(
                    "Changes of all programs are printed: SQLite counts the commits of a file, and a store on a "
                        + "server is read again every second, or less often if reading takes longer. The command "
                        + "keeps the watched records in memory. XML and binary stores cannot be watched."),
            ]),
        examples: [
            "strata watch --entity Employee --store app.sqlite --where 'salary >= 50000' --initial | head -n 3",
            "strata watch --entity Color --store app.sqlite --columns name,hex --initial | head -n 1",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let interruption = Interruption()
        let model = try Models.model(arguments)
        let place = try StorePlace(try Stores.path(arguments))
        let description = try Stores.description(arguments).readOnly
        guard description.isSQLite || place.isOnServer else {
            throw arguments.usageError(
                "option --store: \(place.name) is an XML or binary store, which cannot be watched; "
                    + "copy it to a SQLite store with strata copy")
        }
        var options = ExportOptions(format: .ndjson)
        options.columns = try ExportCommand.columns(arguments)
        try Stores.withContainer(description, model) { container in
            let entity = try Stores.entity(arguments, in: container.model)
            let request = try Selection.request(entity, in: container.model, arguments)
            try ExportCommand.checkColumns(options, of: entity, in: container.model, arguments)
            let store = container.coordinator.store
            let changed = DispatchSemaphore(value: 0)
            if description.isSQLite { try store.observeRemoteChanges { _ in changed.signal() } }
            var records = WatchedRecords(request, of: entity, try DatasetExporter(store: store, options: options))
            let output = ByteOutput.standardOutput()
            let file = description.url.flatMap { FileStatus(path: $0.path)?.identity }
            let clock = ContinuousClock()
            var isFirst = true
            while true {
                let start = clock.now
                let changes = try records.changes(in: store, entity.external.name ?? entity.name)
                if !isFirst || arguments.has("initial") {
                    for line in changes { try output.append(line) }
                    try output.flush()
                }
                isFirst = false
                // A store on a server is read for at most a tenth of the time.
                let pause = max(serverInterval, (clock.now - start) * 10)
                try wait(for: changed, until: description.isSQLite ? nil : clock.now + pause, interruption) {
                    guard let file, let path = description.url?.path, FileStatus(path: path)?.identity != file else {
                        return
                    }
                    throw PersistenceError(
                        .storeMigrated, "the store was removed or replaced; begin again", path: path)
                }
            }
        }
    }

    /// Waits until a change is signaled or a time is reached, and runs a check meanwhile.
    ///
    /// - Throws: ``Interrupted`` after a signal, or `InterchangeError` if the reader of the output closed its pipe.
    private static func wait(
        for changed: DispatchSemaphore, until time: ContinuousClock.Instant?, _ interruption: Interruption,
        check: () throws -> Void
    ) throws {
        while true {
            try check()
            if changed.wait(timeout: .now() + tick) == .success { return }
            if interruption.isCancelled() { throw Interrupted(message: "interrupted; the store was only read") }
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR) != 0 {
                throw InterchangeError(.closedPipe, source: "<stdout>", message: "the reader closed the pipe")
            }
            if let time, ContinuousClock.now >= time { return }
        }
    }
}

/// The records that a command watches, in the state of the last read.
private struct WatchedRecords {
    /// The count of records that one request reads.
    private static let blockSize = 500

    private struct Known {
        let version: Int64
        /// The record as a JSON object without a line break.
        let text: [UInt8]
    }

    private let request: StoreRequest
    private let exporter: DatasetExporter
    private var known: [Int64: Known] = [:]

    init(_ request: StoreRequest, of entity: EntityDescription, _ exporter: DatasetExporter) {
        (self.request, self.exporter) = (request, exporter)
    }

    /// Reads one state of the store, and returns the lines that describe the changes since the previous call.
    mutating func changes(in store: any PersistentStore, _ entity: String) throws -> [[UInt8]] {
        let snapshots = try store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        var versions: [Int64: Int64] = [:]
        try snapshots[0].fetch(request) { row in
            versions[row.rawID] = row.version
            return .next
        }
        var lines: [[UInt8]] = []
        func add(_ change: String, _ record: [UInt8]) throws {
            let name = try JSONObject.string(entity)
            lines.append(
                Array("{\"change\":\"\(change)\",\"entity\":\(name),\"record\":".utf8) + record + Array("}\n".utf8))
        }
        for id in known.keys.filter({ versions[$0] == nil }).sorted() {
            if let gone = known.removeValue(forKey: id) { try add("delete", gone.text) }
        }
        let changed = versions.filter { known[$0.key]?.version != $0.value }.map(\.key).sorted()
        for start in stride(from: 0, to: changed.count, by: Self.blockSize) {
            let ids = changed[start..<min(start + Self.blockSize, changed.count)]
            let rows = StoreRequest(
                request.entity, where: .isIn(.property("id"), ids.map(StoredValue.integer)),
                sort: [StoreRequest.Sort("id")])
            let output = ByteOutput.memory()
            try exporter.run(rows, snapshots, to: output)
            for (id, text) in zip(ids, output.bytes.split(separator: UInt8(ascii: "\n"))) {
                let text = Array(text)
                let before = known.updateValue(Known(version: versions[id] ?? 0, text: text), forKey: id)
                // A change of an attribute that is not printed is no change for the reader.
                if before?.text == text { continue }
                try add(before == nil ? "insert" : "update", text)
            }
        }
        return lines
    }
}
