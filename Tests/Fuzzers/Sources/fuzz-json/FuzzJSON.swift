import FuzzSupport
import StrataInterchange

/// Reads an input as JSON in a chosen layout with two block sizes, writes the records and reads them again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var choices = Choices(bytes, count)
    var layout = JSONRecordLayout(
        choices.choice([.array, .lines, .members]), root: choices.choice([nil, nil, "a", "a.b", ""]))
    layout.paths = choices.choice([[], ["a.b"], ["a.b", "a.c.d", "b."]])
    let limit = choices.choice([JSONRecordReader.defaultRecordLimit, JSONRecordReader.defaultRecordLimit, 20, 40, 64])
    let blockSize = choices.choice([1, 2, 3, 5, 7, 16, 33])
    let file = choices.rest()

    let text = file.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.dropFirst(3)) : file
    var whole = JSONRun(lines: TextLines(text))
    whole.read(file, layout, limit, blockSize: file.count + 1)
    var blocks = JSONRun(lines: nil)
    blocks.read(file, layout, limit, blockSize: blockSize)
    checkSame(whole.events, blocks.events, "blocks of \(blockSize)")
    whole.writeAndRead()
    return 0
}
