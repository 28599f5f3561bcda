/// The marks that identify a file of rejected records, whatever its format.
public enum RejectsMark {
    /// The beginning of the first line of the file.
    public static let firstLine = "#strata-rejects"

    /// The beginning of the lines of the file that are not records.
    static let comment = "#strata-"
}
