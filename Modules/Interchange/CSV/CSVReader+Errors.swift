extension CSVReader {
    /// Returns an error with the location of the current record.
    ///
    /// Use this method for errors that the program finds itself in a record that was read. The method does not throw,
    /// and the reader continues as if no error existed.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - field: The index of the field that the error concerns, from 0, or `nil`; the error contains the column's
    ///     name.
    ///   - message: The description of the problem, the violated rule, and the solution.
    /// - Returns: The error with the file's name, the line, the record and the column.
    public func error(_ code: InterchangeError.Code, field: Int? = nil, message: String) -> InterchangeError {
        InterchangeError(
            code,
            source: window.input.name,
            line: line,
            record: record > 0 ? record : nil,
            column: field.map { header.indices.contains($0) ? header[$0] : String($0 + 1) },
            message: message
        ).located(in: window.input)
    }

    /// Throws an error if the current record has more or fewer fields than the file has columns.
    ///
    /// If the dialect is lenient, missing fields are read as null, and surplus fields that are null are dropped.
    ///
    /// Call the method once after each successful call of ``next()``. If it throws, the fields of the record are still
    /// available, and ``next()`` continues with the next record.
    ///
    /// - Throws: ``InterchangeError/Code/malformed`` with a message such as `5 fields, but the header has 6`. A lenient
    ///   dialect throws it for surplus fields that are not null. It also throws it for a short row inside text whose
    ///   opening quote was read as an ordinary character.
    /// - Complexity: O(1), except for the surplus fields of a lenient dialect.
    public mutating func checkFieldCount() throws(InterchangeError) {
        guard fieldCount != header.count else { return }
        if dialect.isLenient {
            if fieldCount < header.count {
                guard line > doubtfulLine else {
                    throw error(
                        .malformed,
                        message: "\(fieldCount.counted("field")), but the header has \(header.count); "
                            + "a quote opened on an earlier line may have been closed here")
                }
                repairLog.note("row with too few fields, filled up with null", line: line)
                return
            }
            if (header.count..<fieldCount).allSatisfy({ isNull(field: $0) }) {
                fields.removeLast(fieldCount - header.count)
                repairLog.note("row with surplus empty fields", line: line)
                return
            }
        }
        let columns =
            dialect.hasHeader ? "the header has \(header.count)" : "there are \(header.count.counted("column"))"
        throw error(.malformed, message: "\(fieldCount.counted("field")), but \(columns)")
    }

    /// The error for bytes that are invalid in the encoding of the file.
    var invalidText: InterchangeError {
        let name = dialect.encoding?.rawValue ?? window.input.encodingName
        return broken(
            "invalid \(name); "
                + "\(name == "UTF-8" ? "save the file as UTF-8, or name its encoding" : "choose another encoding")"
        )
    }

    /// The error for a record that exceeds the limit, most often because a quote is not closed.
    var tooLong: InterchangeError {
        error(
            .malformed,
            message: "the record is longer than \(limit.held) bytes; look for a quote that is not closed, "
                + "or allow longer records (--max-record)"
        )
    }

    /// Returns a syntax error in the current field, or an error that the record is too long if that is the case.
    func broken(_ message: String) -> InterchangeError {
        window.offset > limit.spelled ? tooLong : error(.malformed, field: fields.count, message: message)
    }

    /// The error for a quote in a field that does not begin with a quote.
    var quoteInside: InterchangeError {
        broken("a quote inside a field without quotes; put the whole field in quotes and double the quotes inside it")
    }

    /// The error for text between a closing quote and the next separator.
    var textAfterQuote: InterchangeError {
        broken("text after a closing quote; double a quote that belongs to the field")
    }

    /// Returns the error for a closing quote on a later line that is followed by text.
    ///
    /// Either the quote belongs to the field or the field should have ended on its first line; the reader cannot
    /// determine which.
    func doubtfulQuote(openedOn line: Int) -> InterchangeError {
        broken(
            "the quote on line \(currentLine) has text after it, but the field began with a quote on line \(line); "
                + "double the quotes that belong to the field, or close it on its line")
    }

    /// Returns the error for a quoted field that does not end before the end of the file.
    func unclosedQuote(openedOn line: Int) -> InterchangeError {
        broken("the quote opened on line \(line) is never closed; close it, or double it if it belongs to the field")
    }

    /// The error for a NUL byte, which often means that the file is UTF-16 without a byte order mark.
    var zeroByte: InterchangeError {
        broken("a NUL byte, which a text cannot contain; if the file is UTF-16, name its encoding (--encoding utf-16)")
    }
}
