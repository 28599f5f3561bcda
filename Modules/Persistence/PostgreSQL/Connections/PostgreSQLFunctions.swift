#if PostgreSQL
/// The SQL functions that conditions need and PostgreSQL lacks; each store creates them in its schema.
enum PostgreSQLFunctions {
    /// The name of `strata_exact(double)`, which returns all digits of a double; a cast to `numeric` returns only 15
    /// digits.
    static let exactName = "strata_exact"

    /// The name of `strata_remainder(a, b)`, which returns the exact remainder of integers or doubles, with the sign of
    /// `a`.
    ///
    /// PostgreSQL has no remainder operator for doubles.
    static let remainderName = "strata_remainder"
    /// The name of `strata_product(a, b)`, which returns the product of two doubles.
    ///
    /// PostgreSQL's operator would report an error if the result is so small that it is rounded to 0.
    static let productName = "strata_product"
    /// The name of `strata_quotient(a, b)`, which returns the quotient of two doubles.
    static let quotientName = "strata_quotient"
    /// The name of `strata_vanishes(a, b)`, which returns whether the product of two nonzero numbers is rounded to 0.
    private static let vanishingName = "strata_vanishes"
    /// The name of `strata_order(text, format)`, which returns the same text as ``TextFormat/orderKey(of:)``.
    static let orderName = "strata_order"
    /// The name of `strata_number_key(text)`, which returns the key by which texts with numbers are ordered.
    private static let numberName = "strata_number_key"

    /// The dollar quote around a function's body.
    static let quote = "$strata_body$"

    /// Returns the statements that create the functions.
    ///
    /// With Citus, a function can call another function only by a name with the schema.
    static func definitions(_ settings: PostgreSQLSettings) -> [String] {
        let schema = settings.server.isCitus ? settings.quotedSchema + "." : ""
        return [
            // The sign, exponent and mantissa of IEEE 754; 2^-n is 5^n with n digits after the decimal point.
            """
            CREATE FUNCTION \(exactName)(x double precision) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS \(quote) \
            SELECT sign(x)::numeric * CASE WHEN p >= 0 THEN m * power(2::numeric, p) \
            ELSE m * power(5::numeric, -p) * ('1e' || p)::numeric END FROM \
            (SELECT (b & 4503599627370495) + CASE WHEN e > 0 THEN 4503599627370496 ELSE 0 END AS m, greatest(e, 1) - 1075 AS p FROM \
            (SELECT b, (b >> 52) & 2047 AS e FROM \
            (SELECT ('x' || encode(float8send(x), 'hex'))::bit(64)::bigint AS b) AS bits) AS parts) AS number \(quote)
            """,
            // A product of at most half of the least positive double rounds to 0. That half is not a double, so the
            // function compares twice the product.
            """
            CREATE FUNCTION \(vanishingName)(a double precision, b double precision) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT \
            PARALLEL SAFE AS \(quote) BEGIN RETURN a <> 0 AND b <> 0 AND 2 * abs(\(schema)\(exactName)(a) * \(schema)\(exactName)(b)) <= \(schema)\(exactName)('5e-324'); END \(quote)
            """,
            // If both numbers are at least 2^-537 from 0, their product is at least 2^-1074 from 0. The function is not
            // STRICT, so that the planner can inline it.
            """
            CREATE FUNCTION \(productName)(a double precision, b double precision) RETURNS double precision LANGUAGE sql IMMUTABLE \
            PARALLEL SAFE AS \(quote) \
            SELECT CASE WHEN least(abs(a), abs(b)) < CAST('1e-161' AS double precision) THEN \
            CASE WHEN \(schema)\(vanishingName)(a, b) THEN 0 ELSE a * b + 0 END ELSE a * b + 0 END \(quote)
            """,
            // The quotient a / b is at most half of the least positive double, 2^-1075, if a * 2^538 is at most b *
            // 2^-537.
            """
            CREATE FUNCTION \(quotientName)(a double precision, b double precision) RETURNS double precision LANGUAGE sql IMMUTABLE \
            PARALLEL SAFE AS \(quote) \
            SELECT CASE WHEN abs(a) < CAST('1e-15' AS double precision) AND abs(b) > 1 THEN \
            CASE WHEN abs(a) * CAST('8.997827589086393e+161' AS double precision) <= abs(b) * CAST('2.2227587494850775e-162' AS double precision) \
            THEN 0 ELSE a / b + 0 END ELSE a / b + 0 END \(quote)
            """,
            """
            CREATE FUNCTION \(remainderName)(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS \(quote) \
            SELECT a % b \(quote)
            """,
            """
            CREATE FUNCTION \(remainderName)(a double precision, b double precision) RETURNS double precision LANGUAGE sql \
            IMMUTABLE STRICT PARALLEL SAFE AS \(quote) \
            SELECT CAST(mod(\(schema)\(exactName)(a), \(schema)\(exactName)(b)) AS double precision) \(quote)
            """,
            """
            CREATE FUNCTION \(numberName)(x text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS \(quote)
            DECLARE
                m text[] := regexp_match(x, '^([+-]?)([0-9]*)(?:\\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?$');
                digits text := rtrim(m[2] || coalesce(m[3], ''), '0');
                furthest numeric := 1000000000000000;
                place numeric;
                power numeric;
            BEGIN
                IF ltrim(digits, '0') = '' THEN RETURN '1'; END IF;
                power := least(coalesce(m[5], '0')::numeric, 2 * furthest);
                IF m[4] = '-' THEN power := -power; END IF;
                place := length(m[2]) - (length(digits) - length(ltrim(digits, '0'))) + power;
                place := least(greatest(-furthest, place), furthest) + furthest;
                digits := ltrim(digits, '0');
                IF m[1] <> '-' THEN RETURN '2' || lpad(place::text, 16, '0') || digits; END IF;
                RETURN '0' || lpad((2 * furthest - place)::text, 16, '0') || translate(digits, '0123456789', '9876543210') || '~';
            END \(quote)
            """,
            """
            CREATE FUNCTION \(orderName)(x text, format text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS \(quote)
            DECLARE
                pattern text;
                m text[];
                n integer[];
                leap integer;
                rest integer;
                cycle integer;
                days integer;
                zone integer := 0;
            BEGIN
                pattern := CASE format WHEN 'year' THEN '^-?([0-9]{4}|[1-9][0-9]{4,})$' WHEN 'bigInteger' THEN '^[+-]?[0-9]+$'
                    WHEN 'number' THEN '^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?$' END;
                IF x ~ pattern THEN RETURN \(schema)\(numberName)(x); END IF;
                IF pattern IS NOT NULL THEN RETURN '~' || x; END IF;
                IF format = 'yearMonth' THEN
                    m := regexp_match(x, '^(-?(?:[0-9]{4}|[1-9][0-9]{4,}))-(0[1-9]|1[0-2])$');
                    IF m IS NULL THEN RETURN '~' || x; END IF;
                    RETURN \(schema)\(numberName)(m[1]) || ' ' || m[2];
                END IF;
                IF format NOT IN ('localDateTime', 'offsetDateTime', 'dateTime') THEN RETURN x; END IF;
                m := regexp_match(x, '^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})'
                    '(?:\\.([0-9]{1,9}))?(Z|[+-]([0-9]{2}):([0-9]{2}))?$');
                IF m IS NULL OR format = 'localDateTime' AND m[8] IS NOT NULL OR format = 'offsetDateTime' AND m[8] IS NULL THEN
                    RETURN '~' || x;
                END IF;
                n := m[1:6]::integer[];
                leap := CASE WHEN n[1] % 4 = 0 AND (n[1] % 100 <> 0 OR n[1] % 400 = 0) THEN 1 ELSE 0 END;
                IF n[2] NOT BETWEEN 1 AND 12 OR n[4] > 23 OR n[5] > 59 OR n[6] > 59 OR n[3] NOT BETWEEN 1
                    AND (ARRAY[31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[n[2]] THEN RETURN '~' || x; END IF;
                IF m[9] IS NOT NULL THEN
                    IF m[10]::integer > 59 OR m[9]::integer * 60 + m[10]::integer > 840 THEN RETURN '~' || x; END IF;
                    zone := (m[9]::integer * 3600 + m[10]::integer * 60) * CASE WHEN m[8] LIKE '-%' THEN -1 ELSE 1 END;
                END IF;
                cycle := floor((n[1] - 2001) / 400.0);
                rest := n[1] - 2001 - cycle * 400;
                days := cycle * 146097 + rest * 365 + rest / 4 - rest / 100 + n[3] - 1
                    + (ARRAY[0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])[n[2]] + CASE WHEN n[2] > 2 THEN leap ELSE 0 END;
                RETURN lpad((days::bigint * 86400 + n[4] * 3600 + n[5] * 60 + n[6] - zone + 1000000000000)::text, 13, '0')
                    || rpad(coalesce(m[7], ''), 9, '0');
            END \(quote)
            """,
        ]
    }

    /// The statements that drop the functions.
    static var removals: [String] {
        let doubles = "(double precision, double precision)"
        let functions = [
            "\(orderName)(text, text)", "\(numberName)(text)", "\(remainderName)(bigint, bigint)",
            remainderName + doubles, quotientName + doubles, productName + doubles, vanishingName + doubles,
            "\(exactName)(double precision)",
        ]
        // Stores of earlier versions have one more function.
        return functions.map { "DROP FUNCTION \($0)" } + ["DROP FUNCTION IF EXISTS strata_count(bigint)"]
    }
}
#endif
