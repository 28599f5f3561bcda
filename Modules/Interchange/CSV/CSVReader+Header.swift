extension CSVReader {
    /// Reads the header, which contains the names of the columns.
    ///
    /// Afterwards ``header`` has the names of all columns, and the window is positioned at the first record.
    ///
    /// - Throws: ``InterchangeError/Code/header`` if there is no header, or if it contradicts the dialect; the errors
    ///   of reading a record.
    mutating func readHeader() throws(InterchangeError) {
        if dialect.hasHeader {
            try dialect.headerRows.isEmpty ? readFirstRow() : readHeaderRows()
        } else if dialect.mayHaveHeader, let columns = dialect.columns {
            try readHeader(equalTo: columns)
        }
        guard let columns = dialect.columns else {
            guard dialect.hasHeader else {
                throw InterchangeError(
                    .header, source: window.input.name,
                    message: "a file without a header requires the names of the columns")
            }
            let named = HeaderNames(header)
            header = named.names
            namedColumns = named.notes
            return
        }
        guard !dialect.hasHeader || columns.count == header.count else {
            throw InterchangeError(
                .header, source: window.input.name, line: headerLine,
                message: "\(columns.count.counted("column")) given, but the header has \(header.count)")
        }
        header = columns
    }

    /// Reads the column names from the first row that is not blank.
    private mutating func readFirstRow() throws(InterchangeError) {
        while true {
            guard try readRecord() else { throw noHeader }
            guard isBlank else { break }
            skipBlankLines()
        }
        noteHeader()
        header = fields.indices.map { text(ofField: $0) }
    }

    private var noHeader: InterchangeError {
        InterchangeError(
            .header, source: window.input.name, message: "the file is empty; its first line must name the columns")
    }

    /// Stores the line and the bytes of the record that was read last, which is the header.
    private mutating func noteHeader() {
        headerLine = line
        headerOriginal = withOriginalLine { $0.withUnsafeBufferPointer { Array($0) } }
    }

    /// Reads the column names from several rows and joins the parts of each name; rows between them are skipped.
    private mutating func readHeaderRows() throws(InterchangeError) {
        var parts: [[String]] = []
        var original: [UInt8] = []
        var last = 0
        for number in dialect.headerRows {
            try skipLines(number - last - 1)
            waitingRows = waitingRows.drop { $0 < number }
            (row, last) = (number - 1, number)
            guard try !window.holds(comment) || comment.isEmpty else {
                throw InterchangeError(
                    .header, source: window.input.name, line: currentLine,
                    message: "row \(number) must contain the column names, but it is a comment")
            }
            let isFirst = original.isEmpty
            guard try readRecord() else {
                throw InterchangeError(
                    .header, source: window.input.name,
                    message: "row \(number) must contain the column names, but the file has no such row")
            }
            guard !isBlank else {
                throw InterchangeError(
                    .header, source: window.input.name, line: line,
                    message: "row \(number) must contain the column names, but it is blank")
            }
            row = number
            if isFirst { headerLine = line }
            original += withOriginalLine { $0.withUnsafeBufferPointer { Array($0) } }
            let names = fields.indices.map { text(ofField: $0) }
            for (index, name) in names.enumerated() {
                if index == parts.count { parts.append([]) }
                // An empty field is not a part of the name.
                if !name.isEmpty { parts[index].append(name) }
            }
        }
        headerOriginal = original
        header = parts.map { $0.joined(separator: dialect.headerJoin) }
    }

    /// Reads the first record as the header if it equals the columns; otherwise moves back, so that it is read as a
    /// record.
    private mutating func readHeader(equalTo columns: [String]) throws(InterchangeError) {
        do throws(InterchangeError) {
            while try readRecord() {
                if isBlank, columns.count > 1 {
                    skipBlankLines()
                    continue
                }
                let names = HeaderNames(fields.indices.map { text(ofField: $0) }).names
                if names.map({ Array($0.utf8) }) == columns.map({ Array($0.utf8) }) { return noteHeader() }
                break
            }
        } catch {
            // The same error occurs again, and is reported, when this line is read as a record.
            guard error.code == .malformed else { throw error }
            isOpenEnded = false
        }
        window.position = window.anchor
        currentLine = physicalLine
        row -= skipsRows ? 1 : 0
        fields.removeAll(keepingCapacity: true)
    }
}
