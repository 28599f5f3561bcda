import FuzzStores

/// Reads an input as a binary store.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBinaryStore(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    StoreRun.run(.binary, bytes, count)
    return 0
}
