/// The marks that distinguish a store's file from other files.
enum SQLiteFormat {
    /// “Strt”, which distinguishes Strata's databases from those of other applications (see SQLite's magic.txt).
    static let applicationID: Int32 = 0x5374_7274
    /// The format number, which is raised with every change that an older version could not read.
    ///
    /// Format 2: the store was migrated to another model, and counts its migrations. Format 3: the store has views,
    /// which an older version would not drop before it changes a table.
    static let version: Int32 = 3

    /// Returns a Boolean value that indicates whether a number identifies the current format or an older one.
    static func isKnown(_ number: Int64, upTo latest: Int32 = version) -> Bool { (1...Int64(latest)).contains(number) }
}
