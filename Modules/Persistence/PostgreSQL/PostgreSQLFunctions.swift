#if PostgreSQL
/// The functions of conditions that PostgreSQL lacks, which a store has in its schema.
enum PostgreSQLFunctions {
    /// `strata_exact(double)`: all digits of a double, of which a cast to `numeric` gives 15.
    static let exactName = "strata_exact"

    /// Makes the functions.
    static var definitions: [String] {
        [
            // Sign, exponent and mantissa as IEEE 754 has them; 2^-n is 5^n with n digits behind the point.
            """
            CREATE FUNCTION \(exactName)(x double precision) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ \
            SELECT sign(x)::numeric * CASE WHEN p >= 0 THEN m * power(2::numeric, p) \
            ELSE m * power(5::numeric, -p) * ('1e' || p)::numeric END FROM \
            (SELECT (b & 4503599627370495) + CASE WHEN e > 0 THEN 4503599627370496 ELSE 0 END AS m, greatest(e, 1) - 1075 AS p FROM \
            (SELECT b, (b >> 52) & 2047 AS e FROM \
            (SELECT ('x' || encode(float8send(x), 'hex'))::bit(64)::bigint AS b) AS bits) AS parts) AS number $$
            """
        ]
    }

    /// Takes them away.
    static var removals: [String] { ["DROP FUNCTION \(exactName)(double precision)"] }
}
#endif
