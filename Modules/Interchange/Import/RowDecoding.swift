import StrataCore
import StrataStoreKit

/// The way in which the texts of one column are converted to values.
enum CellRoute: UInt8, Sendable {
    case text, integer, date
    /// Conversion by the default coding of the column's type.
    case coded
    /// Conversion by the spelling of the column in the file.
    case spelled

    init(_ type: AttributeType) {
        switch type {
        case .string: self = .text
        case .integer16, .integer32, .integer64: self = .integer
        case .date: self = .date
        default: self = .coded
        }
    }
}

/// The settings for the conversion of a dataset's records to rows.
///
/// Rarely used settings are in a separate object, so that this structure stays small: it is copied for values.
struct RowDecoding {
    private final class Circumstances {
        let plan: ColumnPlan
        let options: ImportOptions

        init(_ plan: ColumnPlan, _ options: ImportOptions) { (self.plan, self.options) = (plan, options) }
    }

    let source: Int
    /// A Boolean value that indicates whether the verbatim bytes of rejected records are retained.
    let keepsOriginals: Bool
    /// A Boolean value that indicates whether the last record's fingerprint is stored.
    let keepsFingerprint: Bool
    private let circumstances: Circumstances
    /// For each column, the way in which its texts are converted.
    ///
    /// Common types have their own case, because copying a coding for every cell would take longer than reading most
    /// cells.
    private(set) var routes: [CellRoute]
    let codings: [any AttributeCoding]
    /// The spellings of the columns that do not have the default spelling.
    private(set) var spellings: ColumnSpellings
    /// A Boolean value that indicates whether identifiers have their own spelling.
    private(set) var hasSpelledID = false
    /// The constant texts that are added to each record as values of columns.
    let constants: [(column: Int, text: [UInt8])]
    private let validator: BlockValidator
    /// A Boolean value that indicates whether records have the same columns as the stored rows.
    ///
    /// It is stored here because it is read for each record, and reading it from the plan would copy the plan.
    private let isPlain: Bool

    init(_ source: Int, plan: ColumnPlan, options: ImportOptions, reading: ReadingOptions) {
        self.source = source
        keepsOriginals = options.keepsOriginals
        keepsFingerprint = options.commitInterval != nil
        circumstances = Circumstances(plan, options)
        let types = plan.entity.columns.map(\.type)
        routes = types.map(CellRoute.init)
        codings = types.map(\.coding)
        spellings = ColumnSpellings(reading, columns: plan.entity.columns)
        validator = BlockValidator(plan.entity, InsertOptions(onConflict: options.onConflict))
        isPlain = plan.shape.isPlain
        constants = plan.constants
    }

    var plan: ColumnPlan { circumstances.plan }
    var options: ImportOptions { circumstances.options }

    /// Returns the decoding for a file in which columns have their own spelling.
    ///
    /// The result shares the plan and the options with this decoding.
    func spelled(by plan: SpellingPlan, _ reading: ReadingOptions) -> RowDecoding {
        var decoding = self
        decoding.spellings = ColumnSpellings(
            reading, columns: self.plan.entity.columns, values: plan.values, id: plan.id)
        decoding.hasSpelledID = plan.id != nil
        for index in decoding.routes.indices where plan.values[index] != nil { decoding.routes[index] = .spelled }
        return decoding
    }

    /// Returns the error of a constant text that is not a value of its column.
    func refusal(
        of constant: (column: Int, text: [UInt8]), _ error: InvalidText, source: String, line: Int, record: Int
    ) -> InterchangeError {
        InterchangeError(
            .invalidValue, source: source, line: line, record: record,
            column: plan.entity.columns[constant.column].externalName,
            message: AttributeText.message(constant.text.span, error))
    }

    /// Sets the identifier of the current row from a text.
    ///
    /// - Throws: ``InvalidText`` if the text is not an integer, or out of range.
    @inline(__always)
    func setID(_ bytes: Span<UInt8>, _ block: inout RowBlock) throws(InvalidText) {
        let number = try hasSpelledID ? spellings.identifier(bytes) : IntegerText.parse(bytes)
        guard identifierRange.contains(number) else {
            throw InvalidText("not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))")
        }
        if !hasSpelledID, !IntegerText.isUsual(bytes) {
            spellings.changes.compare(bytes, .integer(number), column: CellChanges.identifier)
        }
        block.setID(number)
    }

    /// The size from which on a record is checked for whether it fits in a block.
    static let largeRecord = RowBlock.maximumByteCount / 16

    /// Returns a Boolean value that indicates whether a block has room for a record with a size in its file.
    ///
    /// A byte that is not UTF-8 may become three bytes, and the retained original needs additional room.
    func hasRoom(for spelled: Int, besides bytes: Int) -> Bool {
        spelled <= (RowBlock.maximumByteCount - bytes) / (keepsOriginals ? 4 : 3)
    }

    static let noRoom =
        "the record is larger than the maximum of 255 MiB with rejects, or 340 MiB without; divide the record"

    /// Returns a Boolean value that indicates whether an invalid record may be rejected, if reading can continue.
    func mayReject(_ error: InterchangeError) -> Bool {
        let isOfRecord = error.record != nil || error.code == .malformed
        return options.onError == .reject && isOfRecord
            && [.malformed, .invalidValue, .columns].contains(error.code)
    }

    /// Validates the last row of the block; returns its problems by attribute.
    ///
    /// If it is not empty, the caller removes the row.
    func problems(in block: inout RowBlock) -> [ValidationFailure] {
        let failures = validator.validateLastRow(of: &block)
        guard failures.isEmpty, !isPlain else { return failures }
        return plan.shape.problems(ofLastRow: block)
    }

    /// Returns the message for a violated rule.
    static func message(_ failure: ValidationFailure) -> String {
        if failure.rule == .mandatory { return "null is not allowed, \(failure.attribute) is mandatory" }
        return failure.reason.replacingTypographicQuotes
    }
}

extension String {
    /// The text with the quotation marks that messages about files use.
    var replacingTypographicQuotes: String {
        guard utf8.contains(0xE2) else { return self }
        return String(map { $0 == "“" || $0 == "”" ? "\"" : $0 })
    }
}
