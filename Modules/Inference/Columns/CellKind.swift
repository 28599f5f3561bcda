/// What a column may be, from the narrowest to the widest, as it is chosen.
///
/// A column is of a type only where our writer gives the text of every one of its cells back for the value that it is.
package enum CellKind: UInt8, CaseIterable, Sendable {
    /// `true` and `false`.
    case boolean
    /// A whole number of 64 bits.
    case integer
    /// A number with digits behind a point, of 18 digits at most.
    case decimal
    /// The shortest text of a double, with a point.
    case double
    /// In upper case.
    case uuid
    case day
    case time
    /// An instant in UTC.
    case date
    /// A pair of words such as yes and no.
    case words
    /// A number with a decimal comma, or with groups.
    case spelledNumber
    /// A day in another spelling than that of ISO 8601.
    case spelledDay
    /// A date and time in another spelling.
    case spelledDate
    /// A time of day in a spelling that the user gave.
    case spelledTime
    case localDateTime
    case offsetDateTime
    case yearMonth
    /// Of a document.
    case object
    case array
    case text

    /// The type of a date or time in another spelling, as reports name it before the format.
    var shortName: String {
        switch self {
        case .spelledDay: "day"
        case .spelledDate: "date"
        case .spelledTime: "time"
        default: name
        }
    }

    /// What reports call it.
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

/// Some kinds.
struct CellKinds: Sendable, Hashable {
    private(set) var bits: UInt32

    init(_ kinds: [CellKind]) { bits = kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

    /// Those of tables, where everything is a text.
    static let ofTables = CellKinds([
        .boolean, .integer, .decimal, .double, .uuid, .day, .time, .date, .words, .spelledNumber, .spelledDay,
        .spelledDate, .spelledTime, .localDateTime, .offsetDateTime, .yearMonth,
    ])

    /// Dates and times in other spellings than that of ISO 8601.
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

    /// In the order in which they are chosen.
    var all: [CellKind] { CellKind.allCases.filter(contains) }
}
