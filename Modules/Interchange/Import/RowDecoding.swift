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
struct RowDecoding {
    let source: Int
    let plan: ColumnPlan
    let options: ImportOptions
    /// How the columns' texts are read, by themselves: copying a coding for every cell would take longer than reading most.
    private(set) var routes: [CellRoute]
    let codings: [any AttributeCoding]
    /// The columns that are spelled in their own way, and the identifiers where they are.
    private(set) var spelled: [SpelledValue?]
    private(set) var spelledID: NumberSpelling?
    let rounding: DateRounding
    /// Whether a number of a document may stand for a text.
    let readsNumbersAsTexts: Bool
    private let validator: BlockValidator

    init(_ source: Int, plan: ColumnPlan, options: ImportOptions, reading: ReadingOptions) {
        self.source = source
        self.plan = plan
        self.options = options
        let types = plan.entity.columns.map(\.type)
        routes = types.map(CellRoute.init)
        codings = types.map(\.coding)
        spelled = types.map { _ in nil }
        rounding = DateRounding(isAllowed: reading.roundsDates)
        readsNumbersAsTexts = reading.readsNumbersAsTexts
        validator = BlockValidator(plan.entity, InsertOptions(onConflict: options.onConflict))
    }

    /// The same for a file in which columns are spelled in their own way.
    func spelled(by plan: SpellingPlan) -> RowDecoding {
        var decoding = self
        decoding.spelled = plan.values
        decoding.spelledID = plan.id
        for index in decoding.routes.indices where plan.values[index] != nil { decoding.routes[index] = .spelled }
        return decoding
    }

    /// Whether a number's digits can be a value of a column of texts: a text, a date, a time; of binary data they would be something else.
    func isOfDigits(_ column: Int) -> Bool {
        switch plan.entity.columns[column].type {
        case .string, .date, .day, .timeOfDay: true
        default: false
        }
    }

    /// The identifier in a text.
    ///
    /// - Throws: ``InvalidText`` when it is none, or out of range.
    func setID(_ bytes: Span<UInt8>, _ block: inout RowBlock) throws(InvalidText) {
        let number = try spelledID == nil ? IntegerText.parse(bytes) : spelledNumber(bytes)
        guard identifierRange.contains(number) else {
            throw InvalidText("not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))")
        }
        block.setID(number)
    }

    /// From so many bytes of a record on it is asked whether a block has room for it.
    private static let largeRecord = RowBlock.maximumByteCount / 16

    /// Whether a block has room for a record that has so many bytes in its file; for all but the largest it has.
    ///
    /// A byte that is no UTF-8 may become three, and where the original is kept it is beside the texts.
    func hasRoom(for spelled: Int, in block: borrowing RowBlock) -> Bool {
        spelled < Self.largeRecord
            || spelled <= (RowBlock.maximumByteCount - block.byteCount) / (options.keepsOriginals ? 4 : 3)
    }

    static let noRoom = "the record is longer in its file than a row can be; it has to be divided"

    /// Whether a record with an error may be left out, if the reading can go on behind it.
    func mayReject(_ error: InterchangeError) -> Bool {
        let isOfRecord = error.record != nil || error.code == .malformed
        return options.onError == .reject && isOfRecord
            && [.malformed, .invalidValue, .columns].contains(error.code)
    }

    /// Checks the last row of the block; gives what is wrong with it, by attribute.
    func problems(in block: inout RowBlock) -> [ValidationFailure] { validator.validateLastRow(of: &block) }

    private func spelledNumber(_ bytes: Span<UInt8>) throws(InvalidText) -> Int64 {
        guard let spelledID else { return try IntegerText.parse(bytes) }
        let plain = try spelledID.plain(bytes)
        return try IntegerText.parse(plain.span)
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
