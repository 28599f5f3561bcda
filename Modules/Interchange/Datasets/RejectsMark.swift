/// The texts by which a file of rejected records is recognized, in every format.
public enum RejectsMark {
    /// The text with which the first line of a file of rejected records begins.
    public static let firstLine = "#strata-rejects"

    /// The text with which those lines of a file of rejected records begin that are not records.
    static let comment = "#strata-"
}
