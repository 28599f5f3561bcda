import FuzzSupport
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// Imports an input into an empty store with two block sizes, rejects bad records, and imports the exported rows again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImport(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var choices = Choices(bytes, count)
    var options = ImportOptions(format: choices.choice(DatasetFormat.allCases))
    options.onError = .reject
    options.keepsOriginals = true
    let flags = choices.byte()
    options.reading.ignoresUnknownColumns = flags & 1 != 0
    options.reading.dialect.isLenient = flags & 2 != 0
    if flags & 4 != 0 { options.reading.mapping = ["a.b": "text", "x": "whole"] }
    if flags & 8 != 0 {
        options.reading.keyAttribute = "text"
        options.reading.valueAttribute = "small"
    }
    options.onConflict = choices.choice([.abort, .ignore, .replace, .update])
    options.onMissingReference = choices.choice([.error, .null, .reject])
    options.commitInterval = flags & 16 != 0 ? 2 : nil
    let entity = flags & 32 != 0 ? "Person" : "Thing"
    let blockSize = choices.choice([1, 2, 3, 5, 7, 16, 33])
    let file = choices.rest()

    let whole = ImportRun(entity, file, options, blockSize: file.count + 1)
    let blocks = ImportRun(entity, file, options, blockSize: blockSize)
    checkSame(whole.events, blocks.events, "blocks of \(blockSize)")
    whole.exportAndImport()
    whole.close()
    blocks.close()
    return 0
}
