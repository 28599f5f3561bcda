/// A possible type of a column; the cases are ordered from the narrowest to the widest type, which is the order of
/// preference.
///
/// A column can have a type only if, for every cell, Strata writes the value of that type with the same text as the
/// cell.
package enum CellKind: UInt8, CaseIterable, Sendable {
    /// `true` and `false`.
    case boolean
    /// A whole number of 64 bits, without leading zeros, a plus sign and a negative zero.
    case integer
    /// A number with at most 18 digits, some of them after a point.
    case decimal
    /// A double, written as its shortest text with a point.
    case double
    /// A UUID in uppercase, with hyphens.
    case uuid
    /// A day in the form of ISO 8601: `2024-02-29`.
    case day
    /// A time of day in the form of ISO 8601: `23:59:58`.
    case time
    /// An instant in UTC.
    case date
    /// A word of a pair for true and false, such as `yes` and `no`.
    case words
    /// A number with a decimal comma, or with separators between groups of three digits.
    case spelledNumber
    /// A day in a spelling other than ISO 8601.
    case spelledDay
    /// A date and time in a spelling other than ISO 8601.
    case spelledDate
    /// A time of day in a spelling that the user specified for the column.
    case spelledTime
    /// A date and time of ISO 8601 without an offset, stored as a validated text.
    case localDateTime
    /// A date and time of ISO 8601 with an offset, stored as a validated text.
    case offsetDateTime
    /// A year and a month, such as `2024-02`, stored as a validated text.
    case yearMonth
    /// A JSON object inside a record of a document.
    case object
    /// A JSON array inside a record of a document.
    case array
    /// Any text; every cell matches it.
    case text

    /// The name for a date or time in another spelling, which reports print before its format.
    var shortName: String {
        switch self {
        case .spelledDay: "day"
        case .spelledDate: "date"
        case .spelledTime: "time"
        default: name
        }
    }

    /// The name of the kind in reports.
    package var name: String {
        switch self {
        case .words: "boolean in words"
        case .spelledNumber: "number in another spelling"
        case .spelledDay: "day in another spelling"
        case .spelledDate: "date and time in another spelling"
        case .spelledTime: "time in another spelling"
        case .localDateTime: "local date and time"
        case .offsetDateTime: "date and time with an offset"
        case .yearMonth: "year and month"
        case .object: "JSON object"
        case .array: "JSON array"
        default: String(describing: self)
        }
    }
}

/// A set of possible types of a column.
///
/// The set is a bit map, because sets are compared and changed for each cell.
struct CellKinds: Sendable, Hashable {
    private(set) var bits: UInt32

    init(_ kinds: [CellKind]) { bits = kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

    /// The kinds that cells of tables can have; every cell of a table is a text.
    static let ofTables = CellKinds([
        .boolean, .integer, .decimal, .double, .uuid, .day, .time, .date, .words, .spelledNumber, .spelledDay,
        .spelledDate, .spelledTime, .localDateTime, .offsetDateTime, .yearMonth,
    ])

    /// The kinds that texts in the cells of a sheet can have; numbers and dates have cells of their own.
    static let ofTexts = CellKinds([.uuid, .words, .object, .array])

    /// The kinds for dates and times in spellings other than ISO 8601.
    static let ofDates = CellKinds([.spelledDay, .spelledDate, .spelledTime])

    var isEmpty: Bool { bits == 0 }
    @inline(__always)
    func contains(_ kind: CellKind) -> Bool { bits & (1 << UInt32(kind.rawValue)) != 0 }
    mutating func insert(_ kind: CellKind) { bits |= 1 << UInt32(kind.rawValue) }
    mutating func remove(_ kind: CellKind) { bits &= ~(1 << UInt32(kind.rawValue)) }
    func union(_ other: CellKinds) -> CellKinds {
        var kinds = self
        kinds.bits |= other.bits
        return kinds
    }
    func removing(_ other: CellKinds) -> CellKinds {
        var kinds = self
        kinds.bits &= ~other.bits
        return kinds
    }
    func intersection(_ other: CellKinds) -> CellKinds {
        var kinds = self
        kinds.bits &= other.bits
        return kinds
    }

    /// The kinds in the set, in the order of preference.
    var all: [CellKind] { CellKind.allCases.filter(contains) }
}
