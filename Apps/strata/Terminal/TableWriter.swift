import StrataInterchange

/// A writer that prints a table; it buffers the first rows to determine widths and prints other rows at once.
struct TableWriter {
    /// The number of rows from which the widths of the columns are determined.
    private static let measuredCount = 1000

    private let columns: [TextTable.Column]
    private let width: Int?
    private let style: TerminalStyle
    private let output: ByteOutput
    private var gathered: [[TableCell]] = []
    private var table: TextTable?
    private(set) var count = 0

    var hiddenCount: Int { table?.hiddenCount ?? 0 }

    init(
        _ columns: [TextTable.Column], width: Int?, style: TerminalStyle,
        output: ByteOutput = .standardOutput()
    ) {
        self.columns = columns
        self.width = width
        self.style = style
        self.output = output
    }

    mutating func write(_ row: [TableCell]) throws {
        count += 1
        if let table {
            try output.append(Array((table.line(row) + "\n").utf8))
        } else {
            gathered.append(row)
            if gathered.count >= Self.measuredCount { try begin() }
        }
    }

    mutating func finish() throws {
        if table == nil { try begin() }
        try output.flush()
    }

    private mutating func begin() throws {
        let table = TextTable(columns, for: gathered, width: width, style: style)
        self.table = table
        try output.append(Array((table.header + "\n").utf8))
        for row in gathered { try output.append(Array((table.line(row) + "\n").utf8)) }
        gathered = []
    }
}
