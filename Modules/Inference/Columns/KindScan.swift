import StrataCore
import StrataInterchange

/// A count, for each possible type, of the cells of a column that do not match the type, with the first such cell.
///
/// A column can have a kind if every cell matches it. A kind that most cells match is counted to the end of the data,
/// so that a report can name the cells that do not match. Any other kind is no longer counted after some cells. The
/// required memory is constant.
///
/// The first mismatch removes a kind from ``kinds``. Too many mismatches also remove it from the counted kinds. A kind
/// never returns to a set. Numbers, words and dates need more than a comparison of single cells: all cells must have
/// the same form of numbers, the same pair of words, or the same format. Their state is in ``numbers``, ``forms``,
/// ``words`` and ``days``.
struct KindScan: Sendable {
    /// The first cell that does not match a kind.
    struct Witness: Sendable, Hashable {
        /// The physical line of the cell in its file, from 1.
        var line: Int
        /// The text of the cell, or its beginning.
        var text: String
        /// The text that Strata would write for the cell; `nil` if the cell is not a value of the kind.
        var written: String?
    }

    /// The maximum number of characters of a cell's text that are stored.
    private static let longestText = 80

    /// The maximum excess of mismatching over matching cells; if there is a greater excess, a kind is no longer
    /// counted.
    ///
    /// The maximum is sufficient for the lines above a table.
    private static let patience = 100

    /// The kinds that every cell matches so far.
    private(set) var kinds: CellKinds
    /// The kinds that are counted: those that every cell matches, and those that most cells may still match at the end.
    private var counted: CellKinds
    /// The count of cells that are not null.
    private(set) var count = 0
    /// The count of cells that do not match a kind, by the raw value of the kind; exact only for the kinds that are
    /// counted.
    private var misses = [Int](repeating: 0, count: CellKind.allCases.count)
    /// The first cell that does not match a kind, by kind; a kind without an entry matches every cell.
    private(set) var witnesses: [CellKind: Witness] = [:]
    /// A Boolean value that indicates whether the point is the decimal separator of the column.
    private let readsPoint: Bool
    /// The spelling that the user specified for the column's values.
    let spelling: ValueSpelling
    /// The properties of the numbers in the plain form, without those that did not fit.
    private(set) var numbers: NumbersInForm
    /// A Boolean value that indicates whether all numbers so far have the plain form, with a point and without groups.
    private var arePlain = true
    /// The other forms that all numbers match, counted from the first number that does not have the plain form.
    private(set) var forms: [NumbersInForm] = []
    /// The words for true and false that occur in the column.
    private(set) var words: WordPair
    /// The date formats that the cells match.
    private(set) var days: DateForms
    /// Returns the beginning of a cell's text, for a report.
    static func beginning(_ text: Span<UInt8>) -> String { String(String(decoding: text).prefix(longestText)) }

    /// A Boolean value that indicates whether any cell was a number with a point.
    private var hasFraction = false
    private let numbersAreDoubles: Bool
    /// The count of digits that each double preserves (IEEE 754).
    private static let exactDigits = 15

    /// Creates a count of cells for a column.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that the column can have.
    ///   - spelling: The spelling that the user specified for the column's values. If its decimal character is not a
    ///     point, the column cannot be a double.
    ///   - permitsOtherDigits: A Boolean value that indicates whether a decimal type may write numbers with other
    ///     counts of digits than the cells.
    ///   - numbersAreDoubles: A Boolean value that indicates whether numbers without quotes are doubles whose texts do
    ///     not matter, as in a sheet.
    init(
        _ kinds: CellKinds, _ spelling: ValueSpelling, permitsOtherDigits: Bool, numbersAreDoubles: Bool = false
    ) {
        self.numbersAreDoubles = numbersAreDoubles
        numbers = NumbersInForm(.plain, permitsOtherDigits: permitsOtherDigits)
        self.kinds = kinds
        self.spelling = spelling
        words = WordPair(trueWords: spelling.trueWords, falseWords: spelling.falseWords)
        days = DateForms(said: [spelling.dateFormat, spelling.timeFormat].compactMap(\.self))
        readsPoint = (spelling.decimal ?? .point) == .point && spelling.group != .point
        if !readsPoint { self.kinds.remove(.double) }
        counted = self.kinds
    }

    /// A Boolean value that indicates whether the user specified the separators in numbers.
    private var areNumbersSaid: Bool { spelling.decimal != nil || spelling.group != nil }

    /// The forms of numbers, other than the plain form, that the column can have.
    private var spelledForms: [NumberForm] {
        areNumbersSaid ? NumberForm.said(spelling) : NumberForm.spelled
    }

    /// The type that most cells of a column match, but not all.
    struct Nearest {
        /// The name of the type in reports.
        let type: String
        let kind: CellKind
        /// The first cell that does not match the type.
        let witness: Witness
        /// The count of cells that do not match the type.
        let misses: Int
    }

    /// The type that most cells match, but not all; `nil` if no type matches more than half of the cells.
    var nearest: Nearest? {
        let dates = days.nearest
        let others = counted.all.filter { !CellKinds.ofDates.contains($0) }.filter { kind in
            let misses = misses[Int(kind.rawValue)]
            return misses > 0 && misses * 2 < count
        }
        let most = others.min { misses[Int($0.rawValue)] < misses[Int($1.rawValue)] }
        if let dates, let witness = dates.witness, dates.misses < most.map({ misses[Int($0.rawValue)] }) ?? .max {
            let type = "\(dates.kind.shortName) (\(dates.pattern.text))"
            return Nearest(type: type, kind: dates.kind, witness: witness, misses: dates.misses)
        }
        guard let most, let witness = witnesses[most] else { return nil }
        return Nearest(type: most.name, kind: most, witness: witness, misses: misses[Int(most.rawValue)])
    }

    /// Returns the count of cells that do not match a kind; `nil` if the kind was not counted to the end of the data.
    func misses(_ kind: CellKind) -> Int? { counted.contains(kind) ? misses[Int(kind.rawValue)] : nil }

    /// The form of the column's numbers if it is not the plain form; `nil` if several forms are possible.
    var spelledForm: NumbersInForm? {
        if areNumbersSaid { return forms.first }
        let witnessed = forms.filter(\.isWitnessed)
        return witnessed.count == 1 ? witnessed[0] : nil
    }

    /// The preferred kind of the column; valid only if the column has cells that are not null.
    var kind: CellKind {
        for kind in kinds.all {
            switch kind {
            case .words: if words.words != nil { return kind }
            case .spelledNumber: if !arePlain, spelledForm != nil { return kind }
            case .spelledDay, .spelledDate, .spelledTime: if days.only?.kind == kind { return kind }
            case .double: if hasFraction { return kind }
            default: return kind
            }
        }
        return .text
    }

    // MARK: Cells

    /// Counts a cell that is not null for each kind.
    ///
    /// - Parameters:
    ///   - text: The text of the cell.
    ///   - line: The physical line of the cell in its file.
    ///   - allowed: The kinds that the cell may match, or `nil` for all; for example, a JSON number is not a text of
    ///     digits.
    @inline(__always)
    mutating func note(_ text: Span<UInt8>, line: Int, allowed: CellKinds? = nil) {
        count += 1
        if counted.isEmpty { return }
        guard let allowed else { return noteKinds(text, line: line) }
        if !allowed.contains(.spelledDay) { days.noteOther(text, line: line) }
        let others = counted.removing(allowed)
        for kind in others.all { refuse(kind, text, line: line) }
        let kept = counted.removing(allowed)
        counted = counted.intersection(allowed)
        noteKinds(text, line: line)
        counted = counted.union(kept)
    }

    /// Counts a cell for each counted kind; a kind that is not counted costs only one comparison.
    private mutating func noteKinds(_ text: Span<UInt8>, line: Int) {
        if counted.contains(.integer) || counted.contains(.decimal) || counted.contains(.double)
            || counted.contains(.spelledNumber)
        {
            noteNumber(text, line)
        }
        refuse(.boolean, text, line: line) { Self.isBoolean($0) }
        refuse(.uuid, text, line: line) { $0.count == 36 && AttributeType.uuid.coding.isStored($0) }
        refuse(.day, text, line: line) { $0.count == 10 && AttributeType.day.coding.isStored($0) }
        refuse(.time, text, line: line) { $0.count >= 8 && AttributeType.timeOfDay.coding.isStored($0) }
        let isDate = counted.contains(.date) && text.count >= 20 && Self.isWritten(text, .date)
        refuse(.date, text, line: line) { _ in isDate }
        if counted.contains(.words), !words.note(text) { refuse(.words, text, line: line) }
        noteDates(text, line)
        refuse(.localDateTime, text, line: line) { Self.isFormat($0, .localDateTime, atLeast: 16) }
        // The text that is written for an instant in a year with four digits also matches this format.
        if !isDate || text[4] != UInt8(ascii: "-") {
            refuse(.offsetDateTime, text, line: line) { Self.isFormat($0, .offsetDateTime, atLeast: 17) }
        }
        refuse(.yearMonth, text, line: line) { $0.count == 7 && Self.isFormat($0, .yearMonth, atLeast: 7) }
    }

    /// Counts a cell for each date format.
    private mutating func noteDates(_ text: Span<UInt8>, _ line: Int) {
        guard counted.contains(.spelledDay) || counted.contains(.spelledDate) || counted.contains(.spelledTime) else {
            return
        }
        let found = days.note(text, line: line)
        for kind in [CellKind.spelledDay, .spelledDate, .spelledTime] where counted.contains(kind) {
            if !found.contains(kind) { refuse(kind, text, line: line) }
        }
    }

    /// Counts a mismatch for a kind if the cell does not match it.
    @inline(__always)
    private mutating func refuse(
        _ kind: CellKind, _ text: Span<UInt8>, line: Int, unless isOfKind: (Span<UInt8>) -> Bool
    ) {
        if counted.contains(kind), !isOfKind(text) { refuse(kind, text, line: line) }
    }

    /// Counts a mismatch for a kind, and stores the cell if it is the first one.
    ///
    /// The kind is no longer counted if its mismatching cells exceed the matching ones by more than ``patience``.
    private mutating func refuse(_ kind: CellKind, _ text: Span<UInt8>, line: Int) {
        guard counted.contains(kind) else { return }
        if kinds.contains(kind) {
            kinds.remove(kind)
            witnesses[kind] = Witness(
                line: line, text: Self.beginning(text), written: written(kind, text))
        }
        let place = Int(kind.rawValue)
        misses[place] += 1
        if misses[place] * 2 > count + Self.patience { counted.remove(kind) }
    }

    // MARK: Numbers

    /// Counts a cell for the kinds of numbers.
    private mutating func noteNumber(_ text: Span<UInt8>, _ line: Int) {
        let plain = NumberForm.plain.number(text)
        guard let number = plain, number.fraction == 0 || readsPoint else {
            noteOther(text, line)
            refuse(.integer, text, line: line)
            refuse(.decimal, text, line: line)
            // SQLite does not store the sign of zero.
            let areDoubles = numbersAreDoubles
            refuse(.double, text, line: line) {
                if areDoubles { return Self.rewritten($0, .double) != nil }
                return Self.hasPoint($0) && !Self.isNegativeZero($0) && Self.isWritten($0, .double)
            }
            if kinds.contains(.double) { hasFraction = true }
            return
        }
        if number.fraction > 0 { hasFraction = true }
        if !arePlain { noteOther(text, line) }
        if counted.contains(.integer) {
            let fits =
                number.fraction == 0 && (number.whole < 19 || (number.whole == 19 && Self.isWritten(text, .integer64)))
            if !fits { refuse(.integer, text, line: line) }
        }
        let before = numbers
        if numbersAreDoubles, number.fraction > 0, number.whole + number.fraction > Self.exactDigits {
            // The last digits of a computed number have no meaning.
            refuse(.decimal, text, line: line)
            return
        }
        if !numbers.note(number) {
            refuse(.decimal, text, line: line)
            if arePlain { refuse(.spelledNumber, text, line: line) }
            // The cells after this one are compared with those before it.
            numbers = before
        }
        if counted.contains(.double), !numbersAreDoubles, !Self.isSurelyShortest(number), !Self.isWritten(text, .double)
        {
            refuse(.double, text, line: line)
        }
    }

    /// Returns a Boolean value that indicates whether the text of a decimal is certainly the shortest text of a double.
    ///
    /// A double preserves up to 15 digits (IEEE 754), and it is written without an exponent if it is neither very small
    /// nor very large.
    private static func isSurelyShortest(_ number: NumberForm.Number) -> Bool {
        number.whole + number.fraction <= 15 && number.fraction > 0 && !number.endsInZero
            && (number.digits >= 1 && (number.whole > 1 || number.fraction <= 4))
    }

    /// Counts a number if the number or an earlier number of the column does not have the plain form.
    private mutating func noteOther(_ text: Span<UInt8>, _ line: Int) {
        guard counted.contains(.spelledNumber) else { return }
        let before = forms
        if arePlain { forms = spelledForms.compactMap { numbers.asIf(in: $0) } }
        forms = forms.compactMap { form in
            var form = form
            guard let number = form.form.number(text), form.note(number) else { return nil }
            return form
        }
        if forms.isEmpty {
            refuse(.spelledNumber, text, line: line)
            forms = before
        } else {
            arePlain = false
        }
    }

    // MARK: Texts

    /// Returns a Boolean value that indicates whether a text is `true` or `false`, as Strata writes it.
    private static func isBoolean(_ text: Span<UInt8>) -> Bool {
        (text.count == 4 || text.count == 5) && isWritten(text, .boolean)
    }

    /// Returns a Boolean value that indicates whether a text contains a point, which a double needs.
    private static func hasPoint(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] == UInt8(ascii: ".") { return true }
        return false
    }

    /// Returns a Boolean value that indicates whether a text has a format; shorter texts are rejected without a further
    /// check.
    private static func isFormat(_ text: Span<UInt8>, _ format: TextFormat, atLeast count: Int) -> Bool {
        text.count >= count && format.takes(text)
    }

    /// Returns a Boolean value that indicates whether a text equals the text that Strata writes for the double -0.0.
    private static func isNegativeZero(_ text: Span<UInt8>) -> Bool {
        text.count == 4 && text[0] == UInt8(ascii: "-") && text[1] == UInt8(ascii: "0") && text[3] == UInt8(ascii: "0")
    }

    /// Returns a Boolean value that indicates whether a text equals the text that Strata writes for the value that it
    /// represents.
    private static func isWritten(_ text: Span<UInt8>, _ type: AttributeType) -> Bool {
        guard let written = rewritten(text, type) else { return false }
        return written.count == text.count && written.indices.allSatisfy { written[$0] == text[$0] }
    }

    /// Returns the text that Strata writes for the value that a text represents; `nil` if the text is not a value of
    /// the type.
    private static func rewritten(_ text: Span<UInt8>, _ type: AttributeType) -> [UInt8]? {
        do throws(InvalidText) {
            let value = try type.coding.parse(text)
            var bytes: [UInt8] = []
            try ByteBuffer.append(to: &bytes) { buffer throws(InvalidText) in try type.coding.write(value, to: &buffer)
            }
            return bytes
        } catch {
            // The text is not a value of the type.
            return nil
        }
    }

    /// Returns the text that Strata would write for a cell as a value of a kind; `nil` if the cell is not such a value.
    private func written(_ kind: CellKind, _ text: Span<UInt8>) -> String? {
        let type: AttributeType? =
            switch kind {
            case .boolean: .boolean
            case .integer: .integer64
            case .double: Self.isNegativeZero(text) ? .decimal(scale: 1) : .double
            case .uuid: .uuid
            case .day: .day
            case .time: .timeOfDay
            case .date: .date
            case .decimal:
                NumberForm.plain.number(text).map { .decimal(scale: UInt8(min(18, max($0.fraction, numbers.scale)))) }
                    ?? .double
            default: nil
            }
        guard let type, let bytes = Self.rewritten(text, type) else { return nil }
        let written = String(decoding: bytes, as: UTF8.self)
        return written.utf8.elementsEqual(String(decoding: text).utf8) ? nil : written
    }
}
