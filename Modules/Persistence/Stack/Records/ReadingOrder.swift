import StrataCore
public import Synchronization

/// Whether a record type's closure reads the values in the order in which they are declared.
///
/// Looked at with every record that is made, beginning with the samples that a model tries, until no two properties can be taken for each
/// other. Until then a record that was read is compared with its row, so that none is given out that shows a value of another
/// property: what it shows is what an update writes.
@usableFromInline
final class ReadingOrder<Record: ManagedRecord>: Sendable {
    @usableFromInline
    let known = Atomic<Bool>(false)

    /// Whether nothing has to be looked at any more.
    @inlinable var isKnown: Bool { known.load(ordering: .relaxed) }

    let entity: EntityDescription
    let encoders: [PropertyEncoder]
    /// How many values the closure has to read: those of the columns that are not computed.
    private let count: Int
    private let evidence: Guarded<ReadingEvidence>
    /// Whether a model was made of the record type: its samples tell the next one nothing new.
    private let areSamplesTried = Atomic<Bool>(false)

    /// Whether a record type's closure reads what its properties declare.
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

    /// The order of records that read their columns by their places: there is nothing to find out, and nobody asks.
    init(certain entity: EntityDescription, _ properties: [RecordProperty<Record>]) {
        self.entity = entity
        encoders = properties.compactMap(\.encode)
        count = encoders.count
        evidence = Guarded(ReadingEvidence(count: 0))
    }

    /// Compares a record with the row from which it was read.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` that names both properties where two were mistaken for
    ///   each other, or says how many values were read.
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

    /// What a record shows of the values that were read, as its columns keep them.
    private func shown(_ record: Record) throws -> [StoredValue] {
        try withUnsafePointer(to: record) { place in
            try (0..<count).map { column in
                let value = try encoders[column](place)
                return value.converted(to: entity.columns[column].type) ?? value
            }
        }
    }

    /// What reading a row threw, with the row's place.
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
            .invalidModel, "the closure that makes records \(what); it reads them in the declared order: \(names)",
            entity: entity.name, attribute: attribute)
    }
}

// MARK: - Samples

extension ReadingOrder {
    /// Tries samples until there is no doubt, or none tells more.
    ///
    /// - Parameters:
    ///   - rules: Whether the initialiser may refuse a sample.
    ///   - read: Makes a record of a row, and so looks at it.
    /// - Throws: As ``check(_:_:)``; and where the initialiser refuses a sample although the model's rules are said to be all there are.
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

    /// Finds a promise that is broken by the first row there is.
    private func tryAccepting(_ read: (RowReader) throws -> Record) throws {
        guard let row = SampleRows(entity).row({ $0 }) else { return }
        do { _ = try read(RowReader(ValueRowSource(row))) } catch let error as PersistenceError
            where error.code == .unreadable
        {
            var refused = PersistenceError(
                .invalidModel,
                "the record's initialiser refuses values that obey the model, which is declared to decide alone (`rules: .model`)",
                entity: entity.name, attribute: error.attribute)
            refused.underlying = error.cause
            throw refused
        }
    }

    /// Finds out by changing one column at a time where properties come from that an initialiser writes in another way.
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

    /// What a sample's record shows; `nil` where there is no sample, or the initialiser has rules of its own that it breaks: the first records will tell.
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
