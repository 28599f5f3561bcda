import FuzzStores

/// Reads an input as an XML store.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXMLStore(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    StoreRun.run(.xml, bytes, count)
    return 0
}
