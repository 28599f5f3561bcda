import Foundation
import StrataCore

/// An encoding that writes the values of some columns in the spelling of the model, and the others in a base encoding.
///
/// In JSON documents, only dates and times have their own spelling, because JSON defines numbers, Booleans and null.
///
/// If no column has its own spelling, ``SpelledTable`` returns no such encoding, because each value costs an additional
/// check.
struct SpelledEncoding<Base: RecordEncoding>: RecordEncoding {
    private let base: Base
    private let spellings: FixedArray<WrittenSpelling?>
    private let isTable: Bool
    /// The base encoding without formula escapes, for values that a spreadsheet never evaluates because they are not
    /// texts.
    private let plain: Base
    /// A Boolean value that indicates whether the export options set a text for null, which then replaces those of the
    /// model.
    private let hasNull: Bool

    init(
        _ base: Base, plain: Base, _ spellings: [WrittenSpelling?], isTable: Bool, hasNull: Bool
    ) {
        self.base = base
        self.plain = plain
        self.hasNull = hasNull
        self.spellings = FixedArray(spellings)
        self.isTable = isTable
    }

    static var spellsWords: Bool { true }
    static var hasArrays: Bool { Base.hasArrays }
    var head: [UInt8] { base.head }
    var firstRecordSkip: Int { base.firstRecordSkip }
    var columnCount: Int { base.columnCount }
    func tail(isEmpty: Bool) -> [UInt8] { base.tail(isEmpty: isEmpty) }
    func begin(_ buffer: inout ByteBuffer) { base.begin(&buffer) }
    func end(_ buffer: inout ByteBuffer) { base.end(&buffer) }

    func null(_ column: Int, _ buffer: inout ByteBuffer) {
        guard isTable, !hasNull, let text = spellings.elements[column]?.null, !text.isEmpty else {
            return base.null(column, &buffer)
        }
        plain.string(text, column: column, into: &buffer)
    }

    func boolean(_ value: Bool, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        guard isTable, let spelling = spellings.elements[column] else {
            return try base.boolean(value, column: column, into: &buffer)
        }
        let word = spelling.word(value)
        if spelling.hasMissingTexts { try refuseMissing(word ?? (value ? "true" : "false"), column) }
        guard let word else { return try base.boolean(value, column: column, into: &buffer) }
        plain.string(word, column: column, into: &buffer)
    }

    func integer(_ value: Int64, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        guard let spelling = ownNumbers(column) else { return try base.integer(value, column: column, into: &buffer) }
        try number(String(value), spelling, column: column, into: &buffer)
    }

    func double(_ value: Double, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        guard let spelling = ownNumbers(column) else { return try base.double(value, column: column, into: &buffer) }
        var text = ByteBuffer()
        try DoubleText.write(value, to: &text)
        try number(Self.contents(text), spelling, column: column, into: &buffer)
    }

    func decimal(_ value: ScaledDecimal, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        guard let spelling = ownNumbers(column) else {
            let isShort = spellings.elements[column]?.writesFewestDigits ?? false
            return try base.decimal(isShort ? value.shortened : value, column: column, into: &buffer)
        }
        var text = ByteBuffer()
        DecimalText.write(value, to: &text)
        try number(Self.contents(text), spelling, column: column, into: &buffer)
    }

    /// Returns the spelling of a column whose numbers differ from the default, or may equal a text for null.
    private func ownNumbers(_ column: Int) -> WrittenSpelling? {
        guard isTable, let spelling = spellings.elements[column], spelling.hasOwnNumbers || spelling.hasMissingTexts
        else { return nil }
        return spelling
    }

    private func number(
        _ text: String, _ spelling: WrittenSpelling, column: Int, into buffer: inout ByteBuffer
    ) throws(InvalidText) {
        let spelled = spelling.number(text)
        if spelling.hasMissingTexts { try refuseMissing(spelled, column) }
        plain.string(spelled, column: column, into: &buffer)
    }

    func date(_ value: Date, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        guard let spelling = spellings.elements[column] else {
            return try base.date(value, column: column, into: &buffer)
        }
        var text = ByteBuffer()
        try DateText.write(value, to: &text)
        let written = Self.contents(text)
        let spelled = try spelling.date(iso: written)
        try refuseMissing(spelled ?? written, column)
        guard let spelled else { return try base.date(value, column: column, into: &buffer) }
        plain.string(spelled, column: column, into: &buffer)
    }

    func word(
        _ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer
    ) throws(InvalidText) {
        if isMissing(value, column: column) { throw Self.missing(String(decoding: value, as: UTF8.self)) }
        try base.word(value, column: column, into: &buffer)
    }

    func spelledWord(_ value: String, column: Int) throws(InvalidText) -> String? {
        guard let spelled = try spellings.elements[column]?.date(iso: value) else { return nil }
        try refuseMissing(spelled, column)
        return spelled
    }

    func binary(_ value: UnsafeRawBufferPointer, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        if isTable, spellings.elements[column]?.hasMissingTexts ?? false {
            var text = ByteBuffer()
            BinaryText.write(value, to: &text)
            try refuseMissing(Self.contents(text), column)
        }
        try base.binary(value, column: column, into: &buffer)
    }

    /// Throws an error if a reader would read a text in a column as null.
    private func refuseMissing(_ text: String, _ column: Int) throws(InvalidText) {
        var text = text
        if text.withUTF8({ isMissing($0, column: column) }) { throw Self.missing(text) }
    }

    func text(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) -> Bool {
        if isMissing(value, column: column) { return false }
        if !isTable, spellings.elements[column]?.isNested(value) ?? false {
            base.nested(value, column: column, into: &buffer)
            return true
        }
        return base.text(value, column: column, into: &buffer)
    }

    func list(_ value: String, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        guard Base.hasArrays else { return try append(.string(value), column: column, into: &buffer) }
        try base.list(value, column: column, into: &buffer)
    }

    func refusesNull(_ column: Int) -> Bool {
        isTable && !hasNull && spellings.elements[column]?.refusesNull ?? false
    }

    func isMissing(_ value: UnsafeBufferPointer<UInt8>, column: Int) -> Bool {
        isTable && spellings.elements[column]?.isMissing(value) ?? false
    }

    private static func contents(_ buffer: borrowing ByteBuffer) -> String {
        String(decoding: Array(buffer.bytes), as: UTF8.self)
    }
}

extension ScaledDecimal {
    /// The same number with the minimum count of digits after the decimal point.
    fileprivate var shortened: ScaledDecimal {
        var (unscaled, scale) = (self.unscaled, self.scale)
        while scale > 0, unscaled % 10 == 0 { (unscaled, scale) = (unscaled / 10, scale - 1) }
        return ScaledDecimal(unscaled: unscaled, scale: scale)
    }
}

/// Functions that return encodings for datasets in which some columns have their own spelling.
enum SpelledTable {
    /// Returns the encoding of an entity's dataset in a CSV or TSV file.
    ///
    /// - Returns: The encoding; `nil` if all columns have the default spelling, so that the base encoding is
    ///   sufficient.
    /// - Throws: ``InterchangeError/Code/unsupported`` for an invalid spelling.
    static func table(
        _ columns: [ResolvedColumn], _ entity: EntityDescription, _ options: ExportOptions
    ) throws(InterchangeError) -> SpelledEncoding<TableEncoding>? {
        let spellings = try ResolvedColumn.spellings(columns, entity, options)
        guard !spellings.isEmpty else { return nil }
        let names = columns.map(\.name)
        var plain = options
        plain.escapesFormulas = false
        return SpelledEncoding<TableEncoding>(
            TableEncoding(columns: names, options), plain: TableEncoding(columns: names, plain), spellings,
            isTable: true, hasNull: options.nullToken != nil)
    }

    /// Returns the encoding of an entity's dataset in a JSON document.
    ///
    /// - Returns: The encoding; `nil` if all columns have the default spelling, so that the base encoding is
    ///   sufficient.
    /// - Throws: ``InterchangeError/Code/unsupported`` for an invalid spelling.
    static func document(
        _ columns: [ResolvedColumn], _ entity: EntityDescription, _ options: ExportOptions
    ) throws(InterchangeError) -> SpelledEncoding<JSONEncoding>? {
        let spellings = try ResolvedColumn.spellings(columns, entity, options)
        guard !spellings.isEmpty else { return nil }
        let document = JSONEncoding(columns: columns.map(\.name), options.layout)
        return SpelledEncoding<JSONEncoding>(document, plain: document, spellings, isTable: false, hasNull: false)
    }
}
