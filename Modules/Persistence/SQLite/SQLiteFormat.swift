/// The marks that distinguish the file of a Strata store from other SQLite files.
enum SQLiteFormat {
    /// The application identifier of Strata's databases, “Strt” (see SQLite's magic.txt).
    static let applicationID: Int32 = 0x5374_7274
    /// The current number of the store format, which is raised with every change that older versions of Strata cannot
    /// read.
    ///
    /// Format 2: a store that was migrated to another model contains the count of its migrations. Format 3: a store has
    /// views, which older versions would not drop before they change a table.
    static let version: Int32 = 3

    /// Returns a Boolean value that indicates whether a format number is that of a format from 1 to `latest`.
    static func isKnown(_ number: Int64, upTo latest: Int32 = version) -> Bool { (1...Int64(latest)).contains(number) }
}
