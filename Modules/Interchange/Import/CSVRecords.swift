import StrataCore
import StrataStoreKit

/// The records of a CSV file.
///
/// Columns are matched with attributes once, when the header is read. For each record, texts are converted directly
/// into the cells of a block, without strings.
struct CSVRecords: RecordSource, ~Copyable {
    let decoding: RowDecoding
    let names: [String: String]
    private var reader: CSVReader
    private let targets: [ColumnPlan.Target]
    private let omitted: Set<String>
    /// For each field, the texts that mean null according to the model; empty if no column has such texts.
    private let missing: [[[UInt8]]?]
    /// For each field, a Boolean value that indicates whether an empty quoted text is invalid in its column.
    private let refusesEmpty: [Bool]

    /// Reads the header.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` with all problems of the header.
    init(_ input: ByteInput, decoding: RowDecoding, reading: ReadingOptions) throws(InterchangeError) {
        let plan = decoding.plan
        let reader = try CSVReader(input, dialect: reading.tableDialect, recordLimit: reading.maximumRecordBytes) {
            plan.target(of: $0) != nil
        }
        let spelling: SpellingPlan
        (targets, spelling) = try Self.targets(reader, plan: plan, reading: reading, source: input.name)
        var names: [String: String] = [:]
        for (name, target) in zip(reader.header, targets) { names[plan.attribute(of: target)] = name }
        omitted = reading.omittedColumns
        missing =
            plan.missingValues.isEmpty
            ? []
            : targets.map { target in
                if case .column(let column) = target { plan.missingValues[column] } else { nil }
            }
        refusesEmpty = targets.map { target in
            if case .column(let column) = target { plan.entity.columns[column].refusesEmptyText } else { false }
        }
        self.names = names
        self.decoding = plan.isSpelled(reading) ? decoding.spelled(by: spelling, reading) : decoding
        self.reader = reader
    }

    /// Returns the target of each column, and the spelling of its values.
    private static func targets(
        _ reader: borrowing CSVReader, plan: ColumnPlan, reading: ReadingOptions, source: String
    ) throws(InterchangeError) -> ([ColumnPlan.Target], SpellingPlan) {
        let header = reader.header
        var problems = plan.problems(of: .column, header, ignoringUnknown: reading.leavesOutUnknown)
        func find(_ names: some Sequence<String>, to be: String) {
            for name in names.sorted() where !header.contains(name) {
                let nearest = NameMatching.nearest(to: name, among: header).map { " (did you mean \"\($0)\"?)" } ?? ""
                let text = "there is no column \(PrintableText.quoted(name)) to be \(be)\(nearest)"
                problems.insert(NameProblem(fault: .absent, text: text), at: 0)
            }
        }
        find(reading.mapping.keys, to: "renamed")
        find(reading.omittedColumns, to: "left out")
        let targets = header.map { plan.target(of: $0) ?? .ignored }
        let spelling = SpellingPlan(
            reading, plan: plan, columns: zip(header, targets).map { (name: $0, target: $1) }, isCertain: true)
        var others = spelling.problems
        if reading.dialect.hasHeader, let problem = reading.declaredColumns?.problem(of: header) {
            others.insert(problem, at: 0)
        }
        if problems.contains(where: { $0.fault == .unknown }) { others += reader.namedColumns }
        guard problems.isEmpty, others.isEmpty else {
            throw InterchangeError(problems, others: others, source: source, line: reader.headerLine)
                .located(in: reader.window.input)
        }
        return (targets, spelling)
    }

    var record: Int { reader.record }
    var lostLine: Int? { nil }
    var header: [UInt8] { reader.headerOriginal }
    var fingerprint: UInt64 { reader.withOriginal { ImportResumption.fingerprint($0) } }

    var findings: FileFindings {
        var findings = FileFindings()
        // Columns that the options omit are not reported.
        findings.ignoredColumns = zip(reader.header, targets)
            .filter { $0.1 == .ignored && !omitted.contains($0.0) }.map(\.0)
        if reader.dialect.separator == nil {
            findings.recognized.append("fields separated by \(reader.separatorFound.name)")
        }
        let encoding = reader.window.input.encodingName
        if encoding != "UTF-8", encoding != reader.dialect.encoding?.rawValue { findings.recognized.append(encoding) }
        findings.repairs = reader.repairs
        findings.notes = reader.sheet?.notes ?? []
        findings.roundedDates = decoding.spellings.rounding.roundedCount
        // The text of a number in a sheet is not that of its file.
        guard reader.sheet == nil else { return findings }
        findings.changedCells = decoding.spellings.changes.summary { column in
            let target = column == CellChanges.identifier ? ColumnPlan.Target.id : .column(column)
            return targets.firstIndex(of: target).map { reader.header[$0] } ?? decoding.plan.name(of: target)
        }
        return findings
    }

    mutating func next() throws(InterchangeError) -> Bool { try reader.next() }

    mutating func recover() throws(InterchangeError) -> Bool {
        try reader.recover()
        return true
    }

    func original() -> [UInt8] { reader.withOriginalLine { $0.withUnsafeBufferPointer { Array($0) } } }

    func checkEnd() {}

    /// Appends the row of the current record to a block.
    ///
    /// A record with a wrong count of fields is invalid. All invalid fields of a record are reported in one error.
    mutating func fillRow(_ block: inout RowBlock) throws(InterchangeError) {
        try reader.checkFieldCount()
        decoding.spellings.changes.line = reader.line
        if reader.recordEnd >= RowDecoding.largeRecord,
            !decoding.hasRoom(for: reader.recordEnd, besides: block.byteCount)
        {
            throw reader.error(.malformed, message: RowDecoding.noRoom)
        }
        try fillCells(of: &block)
    }

    private static let missingID =
        "null is not allowed: each record must have an id if the file has a column of ids; omit the column to number "
        + "the records automatically"

    // This function does not mutate the reader, so that the compiler keeps loaded state between fields.
    private func fillCells(of block: inout RowBlock) throws(InterchangeError) {
        block.beginRow(location: RowLocation(source: decoding.source, line: reader.line, record: reader.record))
        for field in targets.indices {
            do throws(InvalidText) {
                try set(field, &block)
            } catch {
                throw refusal(of: field, error, &block)
            }
        }
        for constant in decoding.constants {
            do throws(InvalidText) {
                try CellText.set(constant.text.span, by: decoding, column: constant.column, into: &block)
            } catch {
                block.removeLastRow()
                throw decoding.refusal(
                    of: constant, error, source: reader.window.input.name, line: reader.line, record: reader.record
                ).located(in: reader.window.input)
            }
        }
        let failures = decoding.problems(in: &block)
        if !failures.isEmpty { throw refusal([], failures, &block) }
        if decoding.keepsOriginals { reader.withOriginalLine { block.setNote($0) } }
    }

    /// Returns the error of a record with an invalid field, including the problems of the fields after it.
    @inline(never)
    private func refusal(of field: Int, _ error: InvalidText, _ block: inout RowBlock) -> InterchangeError {
        var invalid = [(field: field, error: error)]
        for other in targets.indices where other > field {
            do throws(InvalidText) { try set(other, &block) } catch { invalid.append((other, error)) }
        }
        // A field that could not be read is missing in the row; do not report this as a second problem.
        let unread = Set(invalid.map { decoding.plan.attribute(of: targets[$0.field]) })
        let failures = decoding.problems(in: &block).filter { !unread.contains($0.attribute) }
        return refusal(invalid, failures, &block)
    }

    /// Removes the row from the block and returns an error with all its problems: unreadable fields and violated rules.
    @inline(never)
    private func refusal(
        _ invalid: [(field: Int, error: InvalidText)], _ failures: [ValidationFailure], _ block: inout RowBlock
    ) -> InterchangeError {
        block.removeLastRow()
        var errors = invalid.map { field, error in
            let isMissing = error.reason == Self.missingID
            return reader.error(
                .invalidValue, field: field,
                message: isMissing ? Self.missingID : reader.withField(field) { AttributeText.message($0, error) })
        }
        errors += failures.map { failure in
            let field = targets.firstIndex { decoding.plan.attribute(of: $0) == failure.attribute }
            var error = reader.error(.invalidValue, field: field, message: RowDecoding.message(failure))
            if field == nil { error.column = failure.attribute }
            return error
        }
        var error = errors[0]
        error.add(errors.dropFirst().map { RecordProblem(column: $0.column, message: $0.message) })
        return error
    }

    /// Reads a field into its cell.
    @inline(__always)
    private func set(_ field: Int, _ block: inout RowBlock) throws(InvalidText) {
        switch targets[field] {
        case .ignored: return
        case .id:
            guard !reader.isNull(field: field) else { throw InvalidText(Self.missingID) }
            try reader.withField(field) { bytes throws(InvalidText) in try decoding.setID(bytes, &block) }
        case .column(let column):
            guard !isNull(field) else {
                if reader.isQuoted(field: field) {
                    reader.withField(field) { decoding.spellings.changes.noteNull($0, column: column) }
                }
                return block.setNull(column: column)
            }
            try reader.withField(field) { bytes throws(InvalidText) in
                try CellText.set(bytes, by: decoding, column: column, into: &block)
            }
        }
    }

    /// Returns a Boolean value that indicates whether a field means null.
    ///
    /// If the model lists the texts for null, only these count, and the null tokens of the dialect.
    @inline(__always)
    private func isNull(_ field: Int) -> Bool {
        guard !missing.isEmpty, let texts = missing[field] else {
            return reader.isNull(field: field) || (refusesEmpty[field] && reader.isEmpty(field: field))
        }
        return isMissing(field, texts)
    }

    @inline(never)
    private func isMissing(_ field: Int, _ texts: [[UInt8]]) -> Bool {
        let found = reader.withField(field) { bytes in
            (isEmpty: bytes.count == 0, isNull: texts.contains { Self.isEqual($0, bytes) })
        }
        return found.isNull || ((!found.isEmpty || reader.emptyIsNull) && reader.isNull(field: field))
    }

    static func isEqual(_ text: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        guard text.count == bytes.count else { return false }
        for index in text.indices where text[index] != bytes[index] { return false }
        return true
    }
}

extension ColumnDescription {
    /// A Boolean value that indicates whether an empty text is invalid for the column's type or format.
    fileprivate var refusesEmptyText: Bool {
        switch type {
        case .string: attribute?.domain?.format.map { !$0.takes("") } ?? false
        case .binary: false
        default: true
        }
    }
}
