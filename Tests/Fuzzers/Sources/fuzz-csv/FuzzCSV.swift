import FuzzSupport
import StrataInterchange

/// Reads an input as CSV in a chosen dialect with two block sizes, writes the records and reads them again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCSV(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var choices = Choices(bytes, count)
    var dialect = CSVDialect()
    dialect.separator = choices.choice([nil, .comma, .semicolon, .tab, .bar, try? CSVSeparator(UInt8(ascii: "x"))])
    let flags = choices.byte()
    dialect.quote = flags & 3 == 0 ? nil : (flags & 3 == 1 ? UInt8(ascii: "'") : UInt8(ascii: "\""))
    dialect.isLenient = flags & 4 != 0
    dialect.isTrimmed = flags & 8 != 0
    dialect.hasHeader = flags & 16 == 0
    if flags & 32 != 0 || !dialect.hasHeader { dialect.columns = ["a", "b", "c"] }
    if flags & 64 != 0 { dialect.nullTokens = ["NULL", "-"] }
    dialect.comment = choices.choice([nil, "#", "//", "--x"])
    dialect.skippedLines = choices.choice([0, 0, 1, 3])
    dialect.encoding = choices.choice([nil, .utf8, .utf16, .latin1, .windows1252])
    // The recognition of the separator reads as many bytes as the limit, which depends on the block size.
    let limits = dialect.separator == nil ? [CSVReader.defaultRecordLimit] : [CSVReader.defaultRecordLimit, 20, 40, 64]
    let limit = choices.choice(limits)
    let blockSize = choices.choice([1, 2, 3, 5, 7, 16, 33])
    let file = choices.rest()

    var whole = CSVRun(lines: lines(of: file, dialect))
    whole.read(file, dialect, limit, blockSize: file.count + 1)
    var blocks = CSVRun(lines: nil)
    blocks.read(file, dialect, limit, blockSize: blockSize)
    checkSame(whole.events, blocks.events, "blocks of \(blockSize)")
    whole.writeAndRead()
    return 0
}

/// Returns the lines of a file if its text is known without the reader.
private func lines(of file: [UInt8], _ dialect: CSVDialect) -> TextLines? {
    // Rejects files are in UTF-8 in any dialect.
    if file.starts(with: RejectsMark.firstLine.utf8) { return TextLines(file) }
    switch dialect.encoding {
    case nil, .utf8?:
        if file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) { return nil }
        return TextLines(file.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.dropFirst(3)) : file)
    case .latin1?:
        let text = Array(String(String.UnicodeScalarView(file.map { Unicode.Scalar($0) })).utf8)
        return TextLines(text)
    default: return nil
    }
}
