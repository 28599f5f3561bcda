import StrataPersistence

/// Reads records of one dataset into blocks of rows, checked by the entity's rules.
///
/// Used by one thread at a time.
protocol RowDecoder: AnyObject {
    /// Reads records until the batch is full.
    ///
    /// - Throws: The first error of the file itself, and in ``ImportOptions/ErrorAction/stop`` of any record; rows before it are in the batch.
    func fill(_ batch: RowBatch) throws

    /// Passes over records that were dealt with before.
    ///
    /// - Throws: The first error of the file itself.
    func skip(_ records: Int) throws

    /// The line that names the columns as it stands in the file; empty where there is none.
    var header: [UInt8] { get }

    /// The number and the fingerprint of the record that was read last.
    var lastRecord: (record: Int, fingerprint: UInt64) { get }

    /// What was found out about the file.
    var findings: FileFindings { get }
}

/// What reading a file brought to light beside its records.
struct FileFindings {
    var ignoredColumns: [String] = []
    var recognized: [String] = []
    var mended: [String] = []
}

/// A number of records on their way from the file to the store.
///
/// SAFETY: filled by one thread, then stored by another; ``ReadAhead`` hands it over under a lock, and nobody keeps it.
final class RowBatch: @unchecked Sendable {
    /// The most records of a batch, and about the most bytes of their texts.
    static let maximumRecords = 1024
    static let maximumBytes = 128 * 1024

    var block: RowBlock
    /// Records that were left out.
    var problems: [ImportProblem] = []
    /// What ended the reading after these records.
    var error: (any Error)?
    var isLast = false
    /// How far the file was read with this batch.
    var records = 0
    var bytes = 0
    /// The fingerprint of the last record, where imports may be resumed.
    var lastRecord: UInt64 = 0
    /// The most records that fit.
    var limit = RowBatch.maximumRecords
    /// The names the attributes have in the file, for errors that are found when the record is gone.
    var names: [String: String] = [:]

    init(of entity: EntityDescription) {
        block = RowBlock(of: entity)
    }

    func reuse() {
        block.removeAll()
        problems.removeAll(keepingCapacity: true)
        error = nil
        isLast = false
    }

    var isFull: Bool { block.count + problems.count >= limit || block.byteCount >= Self.maximumBytes }
}

/// What is common to decoders: the row that is being made, and what becomes of a bad one.
struct RowDecoding {
    let source: Int
    let plan: ColumnPlan
    let options: ImportOptions
    let types: [AttributeType]
    private let validator: BlockValidator

    init(_ source: Int, plan: ColumnPlan, options: ImportOptions) {
        self.source = source
        self.plan = plan
        self.options = options
        types = plan.entity.columns.map(\.type)
        validator = BlockValidator(plan.entity, InsertOptions(onConflict: options.onConflict))
    }

    /// The identifier in a text.
    ///
    /// - Throws: ``InvalidText`` when it is none, or out of range.
    func setID(_ bytes: Span<UInt8>, _ block: inout RowBlock) throws(InvalidText) {
        let number = try IntegerText.parse(bytes)
        guard identifierRange.contains(number) else {
            throw InvalidText("not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))")
        }
        block.setID(number)
    }

    /// Checks the last row of the block; gives what is wrong with it, by attribute.
    func problems(in block: inout RowBlock) -> [ValidationFailure] { validator.validateLastRow(of: &block) }

    /// What a broken rule says about a record.
    static func message(_ failure: ValidationFailure) -> String {
        if failure.rule == .mandatory { return "null is not allowed, \(failure.attribute) is mandatory" }
        return failure.reason.replacingTypographicQuotes
    }
}

extension String {
    /// The text with the quotes that messages about files use.
    var replacingTypographicQuotes: String {
        guard utf8.contains(0xE2) else { return self }
        return String(map { $0 == "“" || $0 == "”" ? "\"" : $0 })
    }
}
