import StrataCore

/// How the texts of one column become cells.
enum CellRoute: UInt8, Sendable {
    case text, integer, date
    /// By the type's coding.
    case coded
    /// As the file spells them.
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

/// What is common to decoders: the row that is being made, and what becomes of a bad one.
///
/// What is not asked for each value is in an object, so that the rest is small: it is copied for values.
struct RowDecoding {
    private final class Circumstances {
        let plan: ColumnPlan
        let options: ImportOptions

        init(_ plan: ColumnPlan, _ options: ImportOptions) { (self.plan, self.options) = (plan, options) }
    }

    let source: Int
    /// Whether the bytes of records are kept.
    let keepsOriginals: Bool
    /// Whether the last record's fingerprint is kept.
    let keepsFingerprint: Bool
    private let circumstances: Circumstances
    /// How the columns' texts are read, by themselves: copying a coding for every cell would take longer than reading most.
    private(set) var routes: [CellRoute]
    let codings: [any AttributeCoding]
    /// How those are read that are spelled in their own way.
    private(set) var spellings: ColumnSpellings
    /// Whether identifiers are.
    private(set) var hasSpelledID = false
    /// The values that each record has in addition to those of the file.
    let constants: [(column: Int, text: [UInt8])]
    private let validator: BlockValidator
    /// Whether records are rows as they are: asked for each, where asking the plan would copy it.
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

    /// The same for a file in which columns are spelled in their own way.
    func spelled(by plan: SpellingPlan, _ reading: ReadingOptions) -> RowDecoding {
        var decoding = self
        decoding.spellings = ColumnSpellings(
            reading, columns: self.plan.entity.columns, values: plan.values, id: plan.id)
        decoding.hasSpelledID = plan.id != nil
        for index in decoding.routes.indices where plan.values[index] != nil { decoding.routes[index] = .spelled }
        return decoding
    }

    /// Returns the error about a text that each record was to have and that is no value of its column.
    func refusal(
        of constant: (column: Int, text: [UInt8]), _ error: InvalidText, source: String, line: Int, record: Int
    ) -> InterchangeError {
        InterchangeError(
            .invalidValue, source: source, line: line, record: record,
            column: plan.entity.columns[constant.column].externalName,
            message: AttributeText.message(constant.text.span, error))
    }

    /// The identifier in a text.
    ///
    /// - Throws: ``InvalidText`` when it is none, or out of range.
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

    /// From so many bytes of a record on it is asked whether a block has room for it.
    static let largeRecord = RowBlock.maximumByteCount / 16

    /// Whether a block has room for a large record, which has so many bytes in its file.
    ///
    /// A byte that is no UTF-8 may become three, and where the original is kept it is beside the texts.
    func hasRoom(for spelled: Int, besides bytes: Int) -> Bool {
        spelled <= (RowBlock.maximumByteCount - bytes) / (keepsOriginals ? 4 : 3)
    }

    static let noRoom =
        "the record has more bytes in its file than are read as one, 255 MiB where rejects are kept and 340 MiB otherwise; "
        + "it has to be divided"

    /// Whether a record with an error may be left out, if the reading can go on behind it.
    func mayReject(_ error: InterchangeError) -> Bool {
        let isOfRecord = error.record != nil || error.code == .malformed
        return options.onError == .reject && isOfRecord
            && [.malformed, .invalidValue, .columns].contains(error.code)
    }

    /// Checks the last row of the block; gives what is wrong with it, by attribute.
    func problems(in block: inout RowBlock) -> [ValidationFailure] {
        let failures = validator.validateLastRow(of: &block)
        guard failures.isEmpty, !isPlain else { return failures }
        return plan.shape.problems(ofLastRow: block)
    }

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
