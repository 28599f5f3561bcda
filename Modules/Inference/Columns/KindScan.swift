import StrataCore

/// What kinds all cells of a column were so far, and which cell ruled out each of the others.
///
/// Constant memory.
struct KindScan: Sendable {
    /// The first cell that is not of a kind.
    struct Witness: Sendable, Hashable {
        /// The physical line, from 1.
        var line: Int
        /// The cell, or its beginning.
        var text: String
        /// What would be written for it; `nil` where it is no value of the kind at all.
        var written: String?
    }

    /// As much of a cell is kept.
    private static let longestText = 80

    private(set) var kinds: CellKinds
    private(set) var witnesses: [CellKind: Witness] = [:]
    private(set) var numbers = NumbersInForm(.plain)
    /// Whether all cells were plain numbers.
    private var arePlain = true
    /// Forms other than the plain one in which all cells are numbers, from the first cell on that is not plain.
    private(set) var forms: [NumbersInForm] = []
    private(set) var words = WordPair()
    private(set) var days = DayOrders()
    /// Whether any cell was a number with a point.
    private var hasFraction = false

    init(_ kinds: CellKinds) {
        self.kinds = kinds
    }

    /// The form of numbers that is not plain and can be no other.
    var spelledForm: NumbersInForm? {
        let witnessed = forms.filter(\.isWitnessed)
        return witnessed.count == 1 ? witnessed[0] : nil
    }

    /// What the cells are, given that there are any.
    var kind: CellKind {
        for kind in kinds.all {
            switch kind {
            case .words: if words.words != nil { return kind }
            case .spelledNumber: if !arePlain, spelledForm != nil { return kind }
            case .spelledDay: if days.only != nil { return kind }
            case .double: if hasFraction { return kind }
            default: return kind
            }
        }
        return .text
    }

    // MARK: Cells

    /// Notes a cell that is not null.
    @inline(__always)
    mutating func note(_ text: Span<UInt8>, line: Int) {
        if kinds.isEmpty { return }
        noteKinds(text, line: line)
    }

    private mutating func noteKinds(_ text: Span<UInt8>, line: Int) {
        if kinds.contains(.integer) || kinds.contains(.decimal) || kinds.contains(.double)
            || kinds.contains(.spelledNumber)
        {
            noteNumber(text, line)
        }
        refuse(.boolean, text, line: line) { Self.isBoolean($0) }
        refuse(.uuid, text, line: line) { $0.count == 36 && AttributeType.uuid.coding.isStored($0) }
        refuse(.day, text, line: line) { $0.count == 10 && AttributeType.day.coding.isStored($0) }
        refuse(.time, text, line: line) { $0.count >= 8 && AttributeType.timeOfDay.coding.isStored($0) }
        refuse(.date, text, line: line) { $0.count >= 20 && Self.isWritten($0, .date) }
        if kinds.contains(.words), !words.note(text) { refuse(.words, text, line: line) }
        if kinds.contains(.spelledDay), !days.note(text) { refuse(.spelledDay, text, line: line) }
        refuse(.localDateTime, text, line: line) { Self.isFormat($0, .localDateTime, atLeast: 16) }
        // What is written for an instant of a year with four digits is of this format too.
        if !kinds.contains(.date) || text[4] != UInt8(ascii: "-") {
            refuse(.offsetDateTime, text, line: line) { Self.isFormat($0, .offsetDateTime, atLeast: 17) }
        }
        refuse(.yearMonth, text, line: line) { $0.count == 7 && Self.isFormat($0, .yearMonth, atLeast: 7) }
    }

    /// Rules a kind out that a cell is not of.
    @inline(__always)
    private mutating func refuse(
        _ kind: CellKind, _ text: Span<UInt8>, line: Int, unless isOfKind: (Span<UInt8>) -> Bool
    ) {
        if kinds.contains(kind), !isOfKind(text) { refuse(kind, text, line: line) }
    }

    private mutating func refuse(_ kind: CellKind, _ text: Span<UInt8>, line: Int) {
        kinds.remove(kind)
        witnesses[kind] = Witness(
            line: line, text: String(String(decoding: text).prefix(Self.longestText)), written: written(kind, text))
    }

    /// Rules all kinds out but some: what a document has is no text in quotes.
    mutating func keepOnly(_ others: CellKinds, text: Span<UInt8>, line: Int) {
        for kind in kinds.all where !others.contains(kind) { refuse(kind, text, line: line) }
    }

    // MARK: Numbers

    private mutating func noteNumber(_ text: Span<UInt8>, _ line: Int) {
        guard let number = NumberForm.plain.number(text) else {
            noteOther(text, line)
            refuse(.integer, text, line: line) { _ in false }
            refuse(.decimal, text, line: line) { _ in false }
            refuse(.double, text, line: line) { Self.hasPoint($0) && Self.isWritten($0, .double) }
            if kinds.contains(.double) { hasFraction = true }
            return
        }
        if number.fraction > 0 { hasFraction = true }
        if !arePlain { noteOther(text, line) }
        if kinds.contains(.integer) {
            let fits =
                number.fraction == 0 && (number.whole < 19 || (number.whole == 19 && Self.isWritten(text, .integer64)))
            if !fits { refuse(.integer, text, line: line) }
        }
        if !numbers.note(number) {
            refuse(.decimal, text, line: line) { _ in false }
            if arePlain { refuse(.spelledNumber, text, line: line) { _ in false } }
        }
        if kinds.contains(.double), !Self.isSurelyShortest(number), !Self.isWritten(text, .double) {
            refuse(.double, text, line: line)
        }
    }

    /// Whether a decimal has so few digits that it is the shortest text of a double: up to 15 are kept by every double (IEEE 754), and so near to
    /// one no exponent is written.
    private static func isSurelyShortest(_ number: NumberForm.Number) -> Bool {
        number.whole + number.fraction <= 15 && number.fraction > 0 && !number.endsInZero
            && (number.digits >= 1 && (number.whole > 1 || number.fraction <= 4))
    }

    /// Notes a number of a form that is not plain, or in a column that has one.
    private mutating func noteOther(_ text: Span<UInt8>, _ line: Int) {
        guard kinds.contains(.spelledNumber) else { return }
        if arePlain {
            arePlain = false
            forms = NumberForm.spelled.compactMap { numbers.asIf(in: $0) }
        }
        forms = forms.compactMap { form in
            var form = form
            guard let number = form.form.number(text), form.note(number) else { return nil }
            return form
        }
        if forms.isEmpty { refuse(.spelledNumber, text, line: line) }
    }

    // MARK: Texts

    private static func isBoolean(_ text: Span<UInt8>) -> Bool {
        (text.count == 4 || text.count == 5) && isWritten(text, .boolean)
    }

    private static func hasPoint(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] == UInt8(ascii: ".") { return true }
        return false
    }

    private static func isFormat(_ text: Span<UInt8>, _ format: TextFormat, atLeast count: Int) -> Bool {
        text.count >= count && format.takes(text)
    }

    /// Whether a text is what is written for the value that it is.
    private static func isWritten(_ text: Span<UInt8>, _ type: AttributeType) -> Bool {
        guard let written = rewritten(text, type) else { return false }
        return written.count == text.count && written.indices.allSatisfy { written[$0] == text[$0] }
    }

    private static func rewritten(_ text: Span<UInt8>, _ type: AttributeType) -> [UInt8]? {
        do throws(InvalidText) {
            let value = try type.coding.parse(text)
            var bytes: [UInt8] = []
            try ByteBuffer.append(to: &bytes) { buffer throws(InvalidText) in try type.coding.write(value, to: &buffer)
            }
            return bytes
        } catch {
            // It is no value of the type.
            return nil
        }
    }

    /// What would be written for a cell that is not of a kind; `nil` where it is no value of it.
    private func written(_ kind: CellKind, _ text: Span<UInt8>) -> String? {
        let type: AttributeType? =
            switch kind {
            case .boolean: .boolean
            case .integer: .integer64
            case .double: .double
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
