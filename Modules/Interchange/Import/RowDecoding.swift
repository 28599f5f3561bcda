import StrataCore

/// What is common to decoders: the row that is being made, and what becomes of a bad one.
struct RowDecoding {
    let source: Int
    let plan: ColumnPlan
    let options: ImportOptions
    /// The columns' types, by themselves: copying a coding for every cell would take longer than reading most.
    let types: [AttributeType]
    let codings: [any AttributeCoding]
    private let validator: BlockValidator

    init(_ source: Int, plan: ColumnPlan, options: ImportOptions) {
        self.source = source
        self.plan = plan
        self.options = options
        types = plan.entity.columns.map(\.type)
        codings = types.map(\.coding)
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

    /// Whether a record with an error may be left out, if the reading can go on behind it.
    func mayReject(_ error: InterchangeError) -> Bool {
        let isOfRecord = error.record != nil || error.code == .malformed
        return options.onError == .reject && isOfRecord
            && [.malformed, .invalidValue, .columns].contains(error.code)
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
