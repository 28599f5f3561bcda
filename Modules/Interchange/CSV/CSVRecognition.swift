/// A detection of the separator of a file from the beginning of the file.
///
/// If the column names are known, the separator that results in most of them is chosen. Otherwise the chosen separator
/// is one that results in the same count of fields in every line; if there are several, the one with most fields. The
/// default is the comma.
///
/// Up to 20 complete records are compared for each of the four candidates. Quotes, comments and escapes of the dialect
/// are respected, so a separator inside a quoted field does not count.
struct CSVRecognition {
    /// The maximum count of bytes of the file that are inspected.
    static let byteCount = 64 * 1024
    /// The maximum count of records that are compared; more would not change the result.
    private static let maximumRecords = 20
    private static let candidates: [CSVSeparator] = [.comma, .semicolon, .tab, .bar]

    private let dialect: CSVDialect
    private let comment: [UInt8]
    private let quote: UInt8?

    init(_ dialect: CSVDialect, comment: [UInt8]) {
        self.dialect = dialect
        self.comment = comment
        quote = dialect.quote
    }

    /// Returns the separator that fits the beginning of a file best.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the file, after a byte order mark and skipped lines.
    ///   - isKnown: A closure that returns whether a name is that of an expected column.
    /// - Returns: The best candidate; the comma if no candidate divides the first record.
    /// - Complexity: O(*n*) in the bytes, for each candidate.
    func separator(of bytes: ArraySlice<UInt8>, _ isKnown: (String) -> Bool) -> CSVSeparator {
        var best = (separator: CSVSeparator.comma, score: (0, 0, 0))
        for candidate in Self.candidates {
            let records = records(bytes, candidate.byte)
            guard let first = records.first, first.count > 1 else { continue }
            let names = dialect.columns ?? first
            let known = dialect.hasHeader ? first.count(where: isKnown) : (first.count == names.count ? 1 : 0)
            let isEven = records.allSatisfy { $0.count == first.count }
            let score = (known, isEven ? 1 : 0, first.count)
            if score > best.score { best = (candidate, score) }
        }
        return best.separator
    }

    /// Returns the fields of the complete records at the beginning of the file, for a separator.
    private func records(_ bytes: ArraySlice<UInt8>, _ separator: UInt8) -> [[String]] {
        var records: [[String]] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var isAtStart = true
        var index = bytes.startIndex
        while index < bytes.endIndex, records.count < Self.maximumRecords {
            if isAtStart, !comment.isEmpty, bytes[index...].starts(with: comment) {
                while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
                    index += 1
                }
                index = min(index + 1, bytes.endIndex)
                continue
            }
            let byte = bytes[index]
            isAtStart = false
            index += 1
            switch byte {
            case dialect.escape where dialect.escape != nil && index < bytes.endIndex:
                field.append(bytes[index])
                index += 1
            case quote where isQuoted || field.isEmpty: isQuoted.toggle()
            case separator where !isQuoted:
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            case UInt8(ascii: "\n") where !isQuoted, UInt8(ascii: "\r") where !isQuoted:
                isAtStart = true
                if fields.isEmpty, field.isEmpty { continue }
                records.append(fields + [String(decoding: field, as: UTF8.self)])
                (fields, field) = ([], [])
            default: field.append(byte)
            }
        }
        if records.isEmpty, !fields.isEmpty { records.append(fields + [String(decoding: field, as: UTF8.self)]) }
        return records
    }
}
