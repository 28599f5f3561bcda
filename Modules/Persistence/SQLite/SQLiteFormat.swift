/// What tells a store's file from other files.
enum SQLiteFormat {
    /// “Strt”: tells Strata's databases from other applications' (see SQLite's magic.txt).
    static let applicationID: Int32 = 0x5374_7274
    /// Raised with every change that an older version could not read.
    ///
    /// 2: the store followed another model, and counts how often. 3: it has views, which an older version would not
    /// drop before it changes a table.
    static let version: Int32 = 3

    /// Whether a number is that of a format: of the current one, or an older one.
    static func isKnown(_ number: Int64, upTo latest: Int32 = version) -> Bool { (1...Int64(latest)).contains(number) }
}
