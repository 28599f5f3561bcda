/// By what a file of rejected records is known, whatever its format.
public enum RejectsMark {
    /// What its first line begins with.
    public static let firstLine = "#strata-rejects"

    /// What those lines of it begin with that are no records.
    static let comment = "#strata-"
}
