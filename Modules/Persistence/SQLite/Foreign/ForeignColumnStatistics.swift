import Foundation
import StrataCore
import StrataStoreKit

/// The kinds of the values in a column, by which its form is decided.
struct ForeignColumnStatistics {
    /// The storage classes of SQLite, other than null.
    private enum Kind: String, CaseIterable {
        case integer, real, text, blob
    }

    private(set) var nulls = 0
    /// The range of the whole numbers; `nil` if there are none.
    private(set) var integers: ClosedRange<Int64>?

    /// A Boolean value that indicates whether there are values of several kinds.
    var hasSeveralKinds: Bool { counts.count > 1 }

    private var counts: [Kind: Int] = [:]
    /// The first row with a value of each kind.
    private var firstRows: [Kind: Int] = [:]
    /// The largest scale of the numbers, as their shortest texts; `nil` if a number is no decimal.
    private var scale: UInt8? = 0
    private var isFinite = true
    /// A Boolean value that indicates whether all texts are valid UTF-8 without U+0000.
    private var isValid = true
    private var (allDays, allInstants) = (true, true)
    private var allHave16Bytes = true

    mutating func add(_ value: RawValue, row: Int, dateLike: Bool) {
        switch value {
        case .null: nulls += 1
        case .integer(let number):
            note(.integer, row)
            integers = min(integers?.lowerBound ?? number, number)...max(integers?.upperBound ?? number, number)
        case .real(let number):
            note(.real, row)
            if !number.isFinite { isFinite = false }
            guard let known = scale else { return }
            scale = ScaledDecimal("\(number)").map { max(known, Self.shortest($0).scale) }
        case .text(let bytes):
            note(.text, row)
            if isValid { isValid = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil }
            if dateLike, allDays || allInstants { noteDate(bytes) }
        case .blob(let bytes):
            note(.blob, row)
            if bytes.count != 16 { allHave16Bytes = false }
        }
    }

    private mutating func note(_ kind: Kind, _ row: Int) {
        if firstRows[kind] == nil { firstRows[kind] = row }
        counts[kind, default: 0] += 1
    }

    private mutating func noteDate(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        if allDays { allDays = bytes.count == 10 && Day(text) != nil }
        // A store keeps milliseconds; a text with more digits, or one that is no date, remains a text.
        guard allInstants else { return }
        let fraction = text.split(separator: ".", maxSplits: 1).dropFirst().first?.prefix { $0.isNumber } ?? ""
        allInstants =
            text.hasSuffix("Z") && bytes.contains(UInt8(ascii: "T")) && fraction.count <= 3
            && (try? DateText.parse(bytes.span)) != nil
    }

    /// Returns a number without zeros at the end of its fraction.
    private static func shortest(_ number: ScaledDecimal) -> ScaledDecimal {
        var (unscaled, scale) = (number.unscaled, number.scale)
        while scale > 0, unscaled % 10 == 0 { (unscaled, scale) = (unscaled / 10, scale - 1) }
        return ScaledDecimal(unscaled: unscaled, scale: scale)
    }

    /// Returns the form of the column, and a note if it is not the one that the declared type suggests.
    func form(_ column: ForeignTable.Column, readsTimes: Bool) -> (form: ForeignForm, note: String?) {
        let declared = column.declared.uppercased()
        func isDeclared(_ words: String...) -> Bool { words.contains { declared.firstRange(of: $0) != nil } }
        switch Set(counts.keys) {
        case []: return (Self.form(ofEmpty: declared), nil)
        case [.integer]:
            guard let integers else { break }
            if isDeclared("BOOL") {
                if (0...1).contains(integers.lowerBound), (0...1).contains(integers.upperBound) {
                    return (.boolean, nil)
                }
                return (
                    .integer,
                    "the declared type is \(declared), but the values are \(integers.lowerBound) to "
                        + "\(integers.upperBound)"
                )
            }
            if isDeclared("DECIMAL", "NUMERIC", "MONEY"), let scale = Self.scale(declared), scale > 0 {
                return fits(scale) ? (.decimal(scale), nil) : (.integer, nil)
            }
            if column.isDateLike, readsTimes, let units = Self.units(integers) {
                let last = [integers.lowerBound, integers.upperBound].map { Self.dayText($0, units) }
                let unit = units == 1 ? "seconds" : "milliseconds"
                return (.unixTime(units), "\(unit) since 1970 are read as dates from \(last[0]) to \(last[1])")
            }
            return (.integer, nil)
        case [.real], [.integer, .real]:
            guard isFinite else { break }
            if isDeclared("DECIMAL", "NUMERIC", "MONEY"), let found = scale {
                let wanted = Self.scale(declared) ?? found
                if found <= wanted, fits(wanted) { return (.decimal(wanted), nil) }
            }
            // A double represents whole numbers up to 2^53 exactly.
            let exact: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
            guard integers.map({ exact.contains($0.lowerBound) && exact.contains($0.upperBound) }) ?? true else {
                break
            }
            return (.double, nil)
        case [.text]:
            guard isValid else {
                return (.binary, "some texts are no valid UTF-8 or contain U+0000; the column is read as bytes")
            }
            guard column.isDateLike else { return (.text, nil) }
            return (allDays ? .day : allInstants ? .instant : .text, nil)
        case [.blob]: return (isDeclared("UUID", "GUID") && allHave16Bytes ? .uuid : .binary, nil)
        default: break
        }
        guard isValid else {
            return (.binary, "some texts are no valid UTF-8 or contain U+0000; the column is read as bytes")
        }
        let kinds = Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0) \(kind.rawValue) (first in row \(firstRows[kind] ?? 0))" }
        }
        return (.mixed, "values of several kinds are read as texts: \(kinds.joined(separator: ", "))")
    }

    /// Returns the count of units in a second if whole numbers are seconds or milliseconds since 1970 in the years 1973
    /// to 2106, and `nil` otherwise.
    private static func units(_ numbers: ClosedRange<Int64>) -> Int64? {
        [1, 1_000].first { units in
            let range = 100_000_000 * units...4_300_000_000 * units
            return range.contains(numbers.lowerBound) && range.contains(numbers.upperBound)
        }
    }

    private static func dayText(_ number: Int64, _ units: Int64) -> String {
        let seconds = Double(number / units - 978_307_200)
        return Day(utc: Date(timeIntervalSinceReferenceDate: seconds))?.description ?? ""
    }

    /// Returns a Boolean value that indicates whether all whole numbers fit in a decimal with a scale.
    private func fits(_ scale: UInt8) -> Bool {
        guard let integers else { return true }
        return [integers.lowerBound, integers.upperBound].allSatisfy {
            ScaledDecimal(unscaled: $0, scale: 0).rescaled(to: scale) != nil
        }
    }

    /// Returns the scale in a declared type such as `DECIMAL(10,2)`, or `nil` if there is none.
    private static func scale(_ declared: String) -> UInt8? {
        let numbers = declared.split(separator: "(").dropFirst().first?.prefix { $0 != ")" }.split(separator: ",")
        guard let numbers else { return nil }
        guard numbers.count == 2 else { return 0 }
        return UInt8(numbers[1].filter { $0 != " " }).flatMap { $0 <= ScaledDecimal.maximumScale ? $0 : nil }
    }

    /// Returns the form of a column without values: that of the affinity that SQLite derives from the declared type
    /// (sqlite.org/datatype3.html, section 3.1).
    private static func form(ofEmpty declared: String) -> ForeignForm {
        func has(_ words: String...) -> Bool { words.contains { declared.firstRange(of: $0) != nil } }
        if has("INT") { return .integer }
        if has("CHAR", "CLOB", "TEXT") { return .text }
        if has("BLOB") { return .binary }
        if has("REAL", "FLOA", "DOUB") { return .double }
        if has("BOOL") { return .boolean }
        if has("DECIMAL", "NUMERIC"), let scale = scale(declared) { return .decimal(scale) }
        return .text
    }
}
