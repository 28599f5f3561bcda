#if PostgreSQL
import StrataCore

/// How far a statement is that changes many rows: the server's only word before its end are notices, and a function of ours gives one
/// for every few thousand rows.
enum PostgreSQLRowCount {
    /// So many rows are told of at once.
    private static let interval = 4096
    /// The SQLSTATE of our notices: no class of the standard's or the server's begins with these letters.
    static let state = "ST001"

    private static let functionName = "strata_count"

    /// A number as it is, whose rows are counted where somebody asks how far the batch is.
    static func counted(_ number: String) -> String {
        BatchMeter.current == nil ? number : "\(functionName)(\(number))"
    }

    /// `strata_count(number)`: counts in a setting that ends with the transaction.
    ///
    /// What is of the level INFO reaches every client.
    static let definition = """
        CREATE FUNCTION \(functionName)(number bigint) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            rows bigint := coalesce(nullif(current_setting('strata.rows', true), ''), '0')::bigint + 1;
            kept text := set_config('strata.rows', rows::text, true);
        BEGIN
            IF rows % \(interval) = 0 THEN RAISE INFO USING MESSAGE = kept || ' rows', ERRCODE = '\(state)'; END IF;
            RETURN number;
        END $$
        """

    static let removal = "DROP FUNCTION \(functionName)(bigint)"

    /// Tells the batch of this task that one of the notices came.
    static func tell() { BatchMeter.current?.add(interval) }
}
#endif
