/// The texts by which a file of rejected records is recognized, in every format.
///
/// Readers use them to read such a file like the dataset from which its records come. Exports quote texts that begin
/// like these marks in the first column.
public enum RejectsMark {
    /// The text with which the first line of a file of rejected records begins.
    public static let firstLine = "#strata-rejects"

    /// The text with which those lines of a file of rejected records begin that are not records.
    static let comment = "#strata-"
}
