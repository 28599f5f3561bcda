import StrataCore
import StrataStoreKit
public import Synchronization

/// A check whether the closure of a record type reads the values of a row in the declared order of the properties.
///
/// The check first uses sample rows, when a model is created. If it is then not certain that no two properties are
/// exchanged, each record from the store is compared with its row until it is certain. The comparison happens before a
/// caller receives the record. Therefore no caller receives a record with exchanged values, which an update would
/// store.
@usableFromInline
final class ReadingOrder<Record: ManagedRecord>: Sendable {
    @usableFromInline
    let known = Atomic<Bool>(false)

    /// A Boolean value that indicates whether the closure is known to read the values in the declared order.
    @inlinable var isKnown: Bool { known.load(ordering: .relaxed) }

    let entity: EntityDescription
    let encoders: [PropertyEncoder]
    /// The number of values that the closure must read: the number of columns that are not computed.
    private let count: Int
    private let evidence: Guarded<ReadingEvidence>
    /// A Boolean value that indicates whether the check already used the sample rows.
    ///
    /// It is `true` after a model was created from the record type; for further models, the sample rows provide no new
    /// evidence.
    private let areSamplesTried = Atomic<Bool>(false)

    /// Creates the check for the declared properties of a record type.
    @usableFromInline
    init(
        _ name: String, _ declared: [RecordProperty<Record>], uniquenessConstraints: [[String]] = [],
        indexes: [[String]] = [], external: ExternalForm = ExternalForm(), renamedFrom: [String] = [],
        keepsOrder: Bool = false, computationVersion: Int = 1
    ) {
        let properties = RecordProperty.inOrder(declared)
        entity = EntityDescription(
            name, properties.map(\.description), uniquenessConstraints: uniquenessConstraints, indexes: indexes,
            external: external, renamedFrom: renamedFrom, keepsOrder: keepsOrder,
            computationVersion: computationVersion > 1 || properties.contains(where: \.isComputed)
                ? computationVersion : nil)
        // A record has no property for its position in a file. A save leaves stored positions unchanged.
        encoders =
            properties.compactMap(\.encode) + (keepsOrder ? [PropertyEncoder(of: Record.self) { _ in .null }] : [])
        count = properties.count { $0.encode != nil && !$0.isComputed }
        evidence = Guarded(ReadingEvidence(count: count))
    }

    /// Creates the check for records that read their columns by index, which is complete from the beginning.
    init(certain entity: EntityDescription, _ properties: [RecordProperty<Record>]) {
        self.entity = entity
        encoders = properties.compactMap(\.encode)
        count = encoders.count
        evidence = Guarded(ReadingEvidence(count: 0))
    }

    /// Compares a record with the row from which it was created.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` if the order is wrong. The error
    ///   names the two exchanged properties, or contains the number of values that the closure read.
    @usableFromInline
    func check(_ record: Record, _ reader: RecordReader) throws {
        let shown = try shown(record)
        let stored = try (0..<count).map { try reader.row.value(at: $0) }
        let mistake = evidence.withLock { evidence in
            let mistake = evidence.add(shown, of: stored)
            if mistake == nil, evidence.isComplete { known.store(true, ordering: .relaxed) }
            return mistake
        }
        if let mistake { throw error(mistake) }
        guard reader.count >= count else { throw error("reads \(reader.count) of \(count) values") }
        guard reader.count == count else { throw tooMany }
    }

    /// Returns the stored form of those values of a record that were read from columns.
    private func shown(_ record: Record) throws -> [StoredValue] {
        try withUnsafePointer(to: record) { place in
            try (0..<count).map { column in
                let value = try encoders[column](place)
                return value.converted(to: entity.columns[column].type) ?? value
            }
        }
    }

    /// Returns an error for a row that cannot be read, with the location of the row.
    @usableFromInline
    func unreadable(_ error: any Error, _ row: RowReader) -> any Error {
        if let column = error as? UnreadableColumn, !entity.columns.indices.contains(column.index) { return tooMany }
        return PersistenceError.unreadable(error, id: row.rawID, of: entity)
    }

    private var tooMany: PersistenceError { error("reads more than \(count) values") }

    private func error(_ mistake: ReadingEvidence.Mistake) -> PersistenceError {
        let (wrong, right) = (entity.columns[mistake.column].name, entity.columns[mistake.property].name)
        return error("reads the value of \(wrong) into \(right)", attribute: right)
    }

    private func error(_ what: String, attribute: String? = nil) -> PersistenceError {
        let names = entity.columns.prefix(count).map(\.name).joined(separator: ", ")
        return PersistenceError(
            .invalidModel,
            "the closure that makes records \(what); it must read the values in the declared order: \(names)",
            entity: entity.name, attribute: attribute)
    }
}

// MARK: - Samples

extension ReadingOrder {
    /// Creates records from sample rows until the order is certain, or until more samples add no evidence.
    ///
    /// - Parameters:
    ///   - rules: The declared rules, which determine whether the initializer may reject a sample row.
    ///   - read: A closure that creates a record from a row and checks it.
    /// - Throws: The errors of ``check(_:_:)``; an error if the initializer rejects a sample row although the declared
    ///   rules are ``RecordRules/model``.
    func trySamples(obeying rules: RecordRules, _ read: (RowReader) throws -> Record) throws {
        if areSamplesTried.load(ordering: .relaxed) { return }
        if rules == .model { try tryAccepting(read) }
        let samples = SampleRows(entity)
        for number in 0..<SampleRows.count where !isKnown {
            let isKnown = evidence.withLock { evidence in (0..<count).map { evidence.isKnown($0) } }
            let row = samples.row { column in
                number == 0 || column >= count || isKnown[column] ? column : column >> (number - 1) & 1
            }
            _ = try shown(row, read)
        }
        try tryRewritten(samples, read)
        areSamplesTried.store(true, ordering: .relaxed)
    }

    /// Throws an error if the initializer rejects the first sample row although the declared rules are
    /// ``RecordRules/model``.
    private func tryAccepting(_ read: (RowReader) throws -> Record) throws {
        guard let row = SampleRows(entity).row({ $0 }) else { return }
        do { _ = try read(RowReader(ValueRowSource(row))) } catch let error as PersistenceError
            where error.code == .unreadable
        {
            var refused = PersistenceError(
                .invalidModel,
                "the record's initializer rejects values that obey the model, which is declared to decide alone (`rules: .model`)",
                entity: entity.name, attribute: error.attribute)
            refused.underlying = error.cause
            throw refused
        }
    }

    /// Determines the properties whose values the record's initializer changes.
    ///
    /// The method changes one column of a sample row at a time and compares the resulting records.
    private func tryRewritten(_ samples: SampleRows, _ read: (RowReader) throws -> Record) throws {
        let rewritten = evidence.withLock { $0.rewritten.sorted() }
        guard rewritten.count > 1, let usual = try shown(samples.row { $0 }, read) else { return }
        var followers: [Int: Set<Int>] = [:]
        for column in rewritten {
            let row = samples.row { $0 == column ? column + entity.columns.count : $0 }
            guard let changed = try shown(row, read) else { return }
            followers[column] = Set(rewritten.filter { changed[$0] != usual[$0] })
        }
        for property in rewritten where followers[property]?.contains(property) == false {
            guard let column = rewritten.first(where: { followers[$0]?.contains(property) == true }) else { continue }
            throw error(ReadingEvidence.Mistake(property: property, column: column))
        }
    }

    /// Returns the values of the record that is created from a sample row.
    ///
    /// The result is `nil` if there is no sample row, or if the initializer rejects it. In that case, the first stored
    /// rows provide the evidence.
    private func shown(_ row: StoredRow?, _ read: (RowReader) throws -> Record) throws -> [StoredValue]? {
        guard let row else { return nil }
        do {
            return try shown(try read(RowReader(ValueRowSource(row))))
        } catch let error as PersistenceError where error.code == .invalidModel {
            throw error
        } catch {
            return nil
        }
    }
}
