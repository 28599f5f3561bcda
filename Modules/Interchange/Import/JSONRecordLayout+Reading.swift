extension JSONRecordLayout {
    /// Creates the layout that the options of a dataset describe.
    package init(_ reading: ReadingOptions) {
        let isKeyed = reading.keyAttribute != nil || reading.valueAttribute != nil
        self.init(isKeyed ? .members : reading.format == .ndjson ? .lines : .array, root: reading.root)
        paths = Set(reading.mapping.keys.filter { $0.utf8.contains(UInt8(ascii: ".")) })
        keyName = reading.keyAttribute ?? "key"
        valueName = reading.valueAttribute ?? "value"
    }
}
