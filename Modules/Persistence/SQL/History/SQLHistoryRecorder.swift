import Foundation
package import StrataCore
import StrataStoreKit

/// The recorder of the changes of one open transaction in the history of the store.
///
/// The transaction gets its entry with its first change. Changes of the same kind whose identifiers follow each other
/// become one entry.
package final class SQLHistoryRecorder {
    private struct State {
        /// The number of the transaction; `nil` before its first change.
        var number: Int64?
        var ordinal: Int64 = 0
        /// The last change, which is not written yet, because the next one may extend it.
        var last: HistoryChange?
    }

    private let layout: SQLLayout
    private let connection: any SQLConnection
    private let keepsValues: Bool
    private let origin = WriteOrigin.current
    private let process: String
    private var state = State()

    /// Creates the recorder of a transaction; `nil` if the store keeps no history.
    ///
    /// - Parameters:
    ///   - level: The level of the history.
    ///   - process: The text by which a reader recognizes the transactions of a store object; see ``newProcess()``.
    ///   - layout: The layout of the store.
    ///   - connection: The connection, which is in a transaction.
    package init?(
        _ level: HistoryLevel, process: String, in layout: SQLLayout, on connection: any SQLConnection
    ) {
        guard level != .off else { return nil }
        self.process = process
        (self.layout, self.connection) = (layout, connection)
        keepsValues = level == .values
    }

    /// Returns the name and number of this process, and a random text for one store object.
    package static func newProcess() -> String {
        let info = ProcessInfo.processInfo
        return "\(info.processName) \(info.processIdentifier) \(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
    }

    // MARK: Changes

    /// Records the insertion of a row.
    func inserted(_ id: Int64, _ entity: EntityDescription) throws {
        try add(HistoryChange(.insert, entity.name, id...id))
    }

    /// Records the update of a row.
    func updated(
        _ id: Int64, _ entity: EntityDescription, columns: [Int], before: [String: StoredValue]
    ) throws {
        try add(
            HistoryChange(
                .update, entity.name, id...id, columns: columns.map { entity.columns[$0].name }, before: before))
    }

    /// Records the deletion of a row.
    func deleted(_ id: Int64, _ entity: EntityDescription, before: [String: StoredValue]) throws {
        try add(HistoryChange(.delete, entity.name, id...id, before: before))
    }

    /// Records join rows that were added or removed.
    func changed(_ pairs: some Sequence<JoinPair>, of join: String, _ kind: HistoryChange.Kind) throws {
        for pair in pairs {
            try add(HistoryChange(kind, join, pair.source...pair.source, target: pair.target))
        }
    }

    /// Records a change of ranges of rows.
    func changed(_ ranges: IdentifierRanges, of entity: EntityDescription, _ kind: HistoryChange.Kind) throws {
        guard let ranges = ranges.ranges else { return try everything(entity.name) }
        for range in ranges { try add(HistoryChange(kind, entity.name, range)) }
    }

    /// Records that any row of an entity, or any join row, may have changed.
    package func everything(_ name: String) throws { try add(HistoryChange(.everything, name)) }

    // MARK: Values

    /// A Boolean value that indicates whether updates need the values that the rows had before.
    var needsValuesOfUpdates: Bool { keepsValues }

    /// Returns a Boolean value that indicates whether deletions of an entity need the values that the rows had before.
    func needsValuesOfDeletions(_ entity: EntityDescription) -> Bool {
        keepsValues || entity.columns.contains(where: \.isPreservedAfterDeletion)
    }

    /// Returns the values of a row before its update, by the names of the updated columns.
    func values(of row: StoredRow?, columns: [Int], _ entity: EntityDescription) -> [String: StoredValue] {
        guard let row, keepsValues else { return [:] }
        return Dictionary(
            columns.map { (entity.columns[$0].name, row.values[$0].forHistory) }, uniquingKeysWith: { $1 })
    }

    /// Returns the values of a row before its deletion that the history keeps.
    func valuesOfDeletion(of row: StoredRow?, _ entity: EntityDescription) -> [String: StoredValue] {
        guard let row else { return [:] }
        let kept = zip(entity.columns, row.values).filter { keepsValues || $0.0.isPreservedAfterDeletion }
        return Dictionary(kept.map { ($0.name, $1.forHistory) }, uniquingKeysWith: { $1 })
    }

    // MARK: Writing

    private func add(_ change: HistoryChange) throws {
        if let last = state.last, let longer = last.followed(by: change) {
            state.last = longer
            return
        }
        try flush()
        state.last = change
    }

    private func flush() throws {
        guard let change = state.last else { return }
        let number = try state.number ?? begin()
        state.number = number
        state.ordinal += 1
        state.last = nil
        let (ids, columns) = (change.identifiers, change.columns)
        try connection.run(
            layout.historyChangeInsertion,
            [
                .integer(number), .integer(state.ordinal), .string(change.kind.rawValue), .string(change.entity),
                ids.map { .integer($0.lowerBound) } ?? .null, ids.map { .integer($0.upperBound) } ?? .null,
                change.target.map(StoredValue.integer) ?? .null,
                columns.map { .string($0.joined(separator: ",")) } ?? .null,
                change.before.isEmpty ? .null : .string(try HistoryValues.text(of: change.before)),
            ])
    }

    private func begin() throws -> Int64 {
        let number = try connection.number(
            layout.historyTransactionInsertion, HistoryValues.now, origin.author.map(StoredValue.string) ?? .null,
            origin.context.map(StoredValue.string) ?? .null, .string(process))
        guard let number else { throw PersistenceError(.database, "the history returned no number") }
        return number
    }

    /// Writes the last change, and moves the consumer of the write's origin; must be called before the commit.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the consumer has another
    ///   position.
    package func finish() throws {
        try flush()
        guard let move = origin.move else { return }
        try connection.run(
            layout.historyConsumerUpdate, .integer(move.new.number), .integer(move.new.order), HistoryValues.now,
            .string(move.consumer), .integer(move.old.number), .integer(move.old.order))
        guard connection.changes == 1 else { throw PersistenceError.movedConsumer(move.consumer) }
    }

    /// Runs a part of the transaction, and forgets its changes if it is rolled back to its beginning.
    func inSavepoint<Result>(_ body: () throws -> Result, wasRolledBack: (Result) -> Bool) throws -> Result {
        try flush()
        let before = state
        let result = try body()
        if wasRolledBack(result) { state = before }
        return result
    }
}

extension HistoryChange {
    /// Returns one change for this one and the next one, if both are of the same kind and their identifiers follow each
    /// other; otherwise `nil`.
    fileprivate func followed(by next: HistoryChange) -> HistoryChange? {
        guard kind == next.kind, entity == next.entity, columns == next.columns, target == nil, next.target == nil,
            before.isEmpty, next.before.isEmpty
        else { return nil }
        guard let identifiers, let others = next.identifiers else {
            return identifiers == nil && next.identifiers == nil ? self : nil
        }
        guard identifiers.upperBound < .max, identifiers.upperBound + 1 == others.lowerBound else { return nil }
        return HistoryChange(kind, entity, identifiers.lowerBound...others.upperBound, columns: columns)
    }
}

extension StoredValue {
    /// The value in the history: of long binary data, which the store may keep outside the row, only the digest.
    fileprivate var forHistory: StoredValue {
        guard case .binary(let data) = self, data.count > 1024 else { return self }
        return .string("\(data.count) bytes with the digest \(String(StableHash.fnv1a(data), radix: 16))")
    }
}

/// The text form of the values in a history: a JSON object of exact values by the names of their columns.
package enum HistoryValues {
    static func text(of values: [String: StoredValue]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(values.mapValues(\.exactText)), as: UTF8.self)
    }

    static func values(in text: String) throws -> [String: StoredValue] {
        try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            .compactMapValues(StoredValue.init(exactText:))
    }

    /// The current time in milliseconds since 1970.
    static var now: StoredValue { .integer(Int64((Date().timeIntervalSince1970 * 1000).rounded())) }

    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(milliseconds - 978_307_200_000) / 1000)
    }
}

extension PersistenceError {
    static func movedConsumer(_ name: String) -> PersistenceError {
        PersistenceError(
            .conflict,
            "the history consumer “\(name)” has another position, because another process moved it; read again after "
                + "its position")
    }
}
