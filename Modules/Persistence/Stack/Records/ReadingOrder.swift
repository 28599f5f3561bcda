import StrataCore
public import Synchronization

/// A check that a record type's closure reads the values in the declared order.
///
/// The check runs with every new record until no two properties can be confused. It begins with the samples that a
/// model tries. Until then, each record is compared with its row before a caller receives it. No caller therefore
/// receives a record that shows a value of another property, which an update would write.
@usableFromInline
final class ReadingOrder<Record: ManagedRecord>: Sendable {
    @usableFromInline
    let known = Atomic<Bool>(false)

    /// A Boolean value that indicates whether the check is complete.
    @inlinable var isKnown: Bool { known.load(ordering: .relaxed) }

    let entity: EntityDescription
    let encoders: [PropertyEncoder]
    /// The number of values that the closure must read, which is the number of columns that are not computed.
    private let count: Int
    private let evidence: Guarded<ReadingEvidence>
    /// A Boolean value that indicates whether the samples were already tried.
    ///
    /// A model was then created from the record type, and the samples provide no new evidence for the next model.
    private let areSamplesTried = Atomic<Bool>(false)

    /// Creates the check for the closure of a record type and its declared properties.
    @usableFromInline
    init(
        _ name: String, _ declared: [RecordProperty<Record>], uniquenessConstraints: [[String]] = [],
        indexes: [[String]] = [], external: ExternalForm = ExternalForm(), renamedFrom: [String] = [],
        computationVersion: Int = 1
    ) {
        let properties = RecordProperty.inOrder(declared)
        entity = EntityDescription(
            name, properties.map(\.description), uniquenessConstraints: uniquenessConstraints, indexes: indexes,
            external: external, renamedFrom: renamedFrom,
            computationVersion: computationVersion > 1 || properties.contains(where: \.isComputed)
                ? computationVersion : nil)
        encoders = properties.compactMap(\.encode)
        count = properties.count { $0.encode != nil && !$0.isComputed }
        evidence = Guarded(ReadingEvidence(count: count))
    }

    /// Creates the order for records that read their columns by index, which needs no check.
    init(certain entity: EntityDescription, _ properties: [RecordProperty<Record>]) {
        self.entity = entity
        encoders = properties.compactMap(\.encode)
        count = encoders.count
        evidence = Guarded(ReadingEvidence(count: 0))
    }

    /// Compares a record with the row from which it was read.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel``. The error names both properties
    ///   if they were confused, or contains the number of values that were read.
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

    /// Returns the values that a record shows for the columns that were read, in their stored form.
    private func shown(_ record: Record) throws -> [StoredValue] {
        try withUnsafePointer(to: record) { place in
            try (0..<count).map { column in
                let value = try encoders[column](place)
                return value.converted(to: entity.columns[column].type) ?? value
            }
        }
    }

    /// Returns an error of reading a row, with the location of the row.
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
    /// Tries samples until there is no doubt, or until more samples add no evidence.
    ///
    /// - Parameters:
    ///   - rules: The rules, which determine whether the initializer may reject a sample.
    ///   - read: A closure that creates a record from a row, and thereby checks it.
    /// - Throws: The errors of ``check(_:_:)``, and an error if the initializer rejects a sample although the rules are
    ///   declared as the model's rules only.
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

    /// Throws an error if the initializer rejects the first sample, although the model alone is declared to decide.
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

    /// Finds the columns of properties whose values an initializer rewrites.
    ///
    /// The method changes one column at a time and compares the records.
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

    /// Returns the values that a sample's record shows.
    ///
    /// The result is `nil` if there is no sample, or if the sample breaks rules of the initializer. In that case, the
    /// first stored records provide the evidence.
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
