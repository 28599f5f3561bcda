import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTestSupport
import Testing

/// Errors of predicates, sort orders and assignments in text, and their positions.
@Suite("Predicate text errors")
struct PredicateTextErrorTests {
    static let predicates: [(String, String)] = [
        ("", "column 1: the predicate is empty; TRUEPREDICATE selects everything"),
        ("age > 5 and salry > 3", "column 13: there is no attribute \"salry\" in Employee; did you mean \"salary\"?"),
        ("boss.lastname = 'x'", "column 6: there is no attribute \"lastname\" in Boss; did you mean \"lastName\"?"),
        ("AGE = 5", "column 1: there is no attribute \"AGE\" in Employee; did you mean \"age\"?"),
        ("lastName.age = 5", "column 10: \"lastName\" is not a relationship and cannot be followed by a name"),
        (
            "xyz = 5",
            "column 1: there is no attribute \"xyz\" in Employee; there are firstName, lastName, salary, rating, age, "
                + "dateHired, token, isActive, photo, between, boss, badge, id"
        ),
        ("lastName = Smith", "column 12: there is no attribute \"Smith\" in Employee; put a text into quotes"),
        ("age", "column 4: a comparison is expected after this value"),
        ("age >", "column 6: a value is expected instead of the end"),
        ("age > 5 age", "column 9: \"age\" is not expected here"),
        ("age > 'x'", "column 7: a text cannot be compared with a whole number; write a number such as 42"),
        ("lastName = 5", "column 12: a number cannot be compared with a string; write a text in quotes"),
        ("lastName = age", "column 1: a string and a whole number cannot be compared"),
        ("dateHired > 2020", "column 13: a number cannot be compared with a date; write \"2020-01-31\""),
        (
            "dateHired > '2020-02-30'",
            "column 13: not a date as in ISO 8601; write \"2020-01-31\" or \"2020-01-31T10:11:12Z\""
        ),
        (
            "dateHired > '2003-02-08T21:00:40.891775658+02:00'",
            "column 13: the date has more fractional digits than a date can store; shorten the fraction"
        ),
        ("token = 'x'", "column 9: not a UUID; write \"123E4567-E89B-12D3-A456-426614174000\""),
        ("isActive = 2", "column 12: a number cannot be compared with a boolean; write true or false"),
        ("age = 99999999999999999999", "column 7: the number does not fit into 64 bits with all its digits"),
        ("rating > 1e999", "column 10: the number is out of the range of a double"),
        ("age = 5x", "column 7: neither a number nor a name; put a text into quotes"),
        ("age = 5e", "column 7: a number has no digits after its e"),
        ("(age = 5", "column 9: ) is expected to close a parenthesis instead of the end"),
        ("age = 5)", "column 8: \")\" is not expected here"),
        ("lastName = 'abc", "column 12: the text that begins here has no closing '"),
        ("lastName = '\\q'", "column 13: unknown escape; use \\\" \\' \\\\ \\n \\r \\t and \\u00E9"),
        (
            "lastName = 'é' and $",
            "column 20: this character has no meaning here; a name that contains it must be in backticks"
        ),
        (
            "lastName = '👨‍👩‍👧‍👦é' and salry = 1",
            "column 21: there is no attribute \"salry\" in Employee; did you mean \"salary\"?"
        ),
        (
            "lastName matches 'a*'",
            "column 10: \"matches\" is not supported; use \"like\", in which * matches any characters and ? matches one"
        ),
        (
            "lastName contains[cd] 'a'",
            "column 19: diacritics cannot be ignored; [c] ignores the case of the letters A to Z"
        ),
        ("lastName contains[x] 'a'", "column 19: only [c] is supported, which ignores the case of the letters A to Z"),
        ("lastName <[c] 'a'", "column 11: case can be ignored only by =, !=, contains, beginswith, endswith and like"),
        ("lastName like age", "column 15: \"like\" must be followed by a text in quotes instead of \"age\""),
        ("age contains 'a'", "column 1: a whole number where a string is expected"),
        ("age in 5", "column 8: a list such as {1, 2, 3} is expected instead of 5"),
        ("age in {1 2}", "column 11: , is expected or } in a list instead of 2"),
        ("age in {1, age}", "column 12: a list can contain only constants"),
        ("age between {1}", "column 13: \"between\" requires two values: {least, greatest}"),
        ("age is 5", "column 8: null is expected after \"is\" instead of 5"),
        ("1 < age < 5", "column 9: a comparison cannot be compared again; join two comparisons with \"and\""),
        (
            "(age = 5) + 1 = 6",
            "column 2: a value is expected, but a condition was found; join conditions with \"and\" or \"or\""
        ),
        (
            "between = 5",
            "column 1: a value is expected instead of \"between\"; put a name that is a keyword into backticks"
        ),
        (
            "boss.employees.age > 5",
            "column 1: \"employees\" refers to many objects; write any, all or none before it, or count them: "
                + "employees.@count"
        ),
        ("any age > 5", "column 5: \"any\" must be followed by a path through a relationship to many objects"),
        (
            "any boss.employees.age > age",
            "column 26: after \"any\", \"all\" or \"none\", an attribute can be compared only with a constant"
        ),
        ("boss.@sum = 1", "column 6: @sum is not known; only @count is supported after a relationship"),
        ("salary / 2 > 5", "column 1: decimals can be added, subtracted and multiplied, but not divided"),
        ("rond(salary) = 2", "column 1: there is no function \"rond\"; did you mean \"round\"?"),
        (
            "sqrt(salary) = 2",
            "column 1: there is no function \"sqrt\"; there are abs, avg, coalesce, count, day, length, lower, max, min, month, now, round, sum, total, trim, upper, year"
        ),
        ("round(salary, age) = 2", "column 15: round() requires a whole number from -18 to 18 for the digits"),
        ("round(salary, 19) = 2", "column 15: round() requires a whole number from -18 to 18 for the digits"),
        ("round() = 2", "column 6: round() requires a number and optionally a count of digits"),
        ("lower(lastName, age) = 2", "column 6: lower() requires one value"),
        ("coalesce(age) = 2", "column 9: coalesce() requires two values or more"),
        ("now(1) < dateHired", "column 4: now() requires no value"),
        ("lower(age) = 'x'", "column 1: lower cannot be applied to a whole number"),
        ("round(lastName) = 2", "column 1: round cannot be applied to a string"),
        ("lastName = now()", "column 12: now() is a date and cannot be compared with a string; write a text in quotes"),
        (
            "lower(boss.employees.lastName) = 'x'",
            "column 7: \"employees\" refers to many objects; write any, all or none before it, or count them: "
                + "employees.@count"
        ),
        (
            "lower(lastName = 'x') = 'x'",
            "column 7: a value is expected, but a condition was found; join conditions with \"and\" or \"or\""
        ),
        ("lower(lastName", "column 15: , is expected or ) in lower() instead of the end"),
        (
            "coalesce(age, 'x') = 2",
            "column 15: a text cannot be compared with a whole number; write a number such as 42"
        ),
        ("lastName + 1 = 2", "column 12: a number cannot be compared with a string; write a text in quotes"),
    ]

    @Test("an invalid predicate is rejected with the position of the error", arguments: predicates)
    func predicate(_ example: (String, String)) throws {
        let text = try PredicateText("Employee", in: Staff.model())
        let error = #expect(throws: PredicateTextError.self) { try text.condition(example.0) }
        #expect(error.map { "\($0)" } == example.1)
    }

    static let sorts: [(String, String)] = [
        ("lastnam", "column 1: there is no attribute \"lastnam\" in Employee; did you mean \"lastName\"?"),
        ("age down", "column 5: asc, desc, a comma or the end is expected instead of \"down\""),
        ("age,", "column 5: the name of an attribute or a relationship is expected instead of the end"),
        ("boss.employees", "column 1: \"employees\" refers to many objects and cannot be a sort key"),
        ("boss.@count.x", "column 12: asc, desc, a comma or the end is expected instead of \".\""),
        ("5", "column 1: a constant cannot be a sort key"),
        ("lower('A') desc", "column 1: a constant cannot be a sort key"),
        ("length(age)", "column 1: length cannot be applied to a whole number"),
        (
            "boss.employees.age + 1",
            "column 1: \"employees\" refers to many objects; write any, all or none before it, or count them: "
                + "employees.@count"
        ),
    ]

    @Test("an invalid sort order is rejected with the position of the error", arguments: sorts)
    func sort(_ example: (String, String)) throws {
        let text = try PredicateText("Employee", in: Staff.model())
        let error = #expect(throws: PredicateTextError.self) { try text.sort(example.0) }
        #expect(error.map { "\($0)" } == example.1)
    }

    static let assignments: [(String, String)] = [
        ("", "column 1: an assignment such as name = value is expected"),
        ("age 5", "column 5: = is expected after \"age\" instead of 5"),
        ("age = 5, age = 6", "column 10: \"age\" is assigned twice"),
        ("id = 5", "column 1: an object's identifier cannot be changed"),
        ("dateHired = null", "column 1: \"dateHired\" cannot be changed after the insertion"),
        ("lastName = null", "column 12: \"lastName\" is mandatory, null is not allowed"),
        ("age = 1.5", "column 7: a decimal cannot be stored in \"age\", which is a whole number"),
        ("badge = 5", "column 1: \"badge\" has no column; assign to the other side"),
        (
            "boss.age = 5",
            "column 1: values can be assigned only to attributes and to-one relationships of the entity "
                + "itself"
        ),
        ("age = 5 lastName = 'x'", "column 9: a comma or the end is expected instead of \"lastName\""),
    ]

    @Test("an invalid assignment is rejected with the position of the error", arguments: assignments)
    func assignment(_ example: (String, String)) throws {
        let text = try PredicateText("Employee", in: Staff.model())
        let error = #expect(throws: PredicateTextError.self) { try text.assignments(example.0) }
        #expect(error.map { "\($0)" } == example.1)
    }

    @Test("an error message shows the text and marks the position of the error in the next line")
    func rendering() throws {
        let text = try PredicateText("Employee", in: Staff.model())
        let error = try #require(throws: PredicateTextError.self) { try text.condition("age > 5 and\nsalry > 3") }
        #expect((error.offset, error.column, error.length) == (12, 13, 5))
        #expect(error.rendering == "age > 5 and salry > 3\n            ^^^^^")
        // For an unterminated text only the quote is marked, and not the rest.
        let open = try #require(throws: PredicateTextError.self) { try text.condition("lastName = 'abc") }
        #expect(open.rendering == "lastName = 'abc\n           ^")
        let long = String(repeating: "age > 5 and ", count: 100) + "salry > 3"
        let cut = try #require(throws: PredicateTextError.self) { try text.condition(long) }
        let lines = cut.rendering.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 80 })
        #expect(lines[0].dropFirst(lines[1].count { $0 == " " }).hasPrefix("salry"))
        let end = try #require(throws: PredicateTextError.self) { try text.condition("age >") }
        #expect(end.rendering == "age >\n     ^")
    }

    @Test("predicates that are too long or nested too deeply are rejected")
    func bounds() throws {
        let text = try PredicateText("Employee", in: Staff.model())
        let many = Seeds.count(8_000, all: 40_000)
        let texts = [
            String(repeating: "(", count: many), String(repeating: "!", count: many),
            String(repeating: "not ", count: many / 4), String(repeating: "-", count: many),
            "age = " + String(repeating: "1+", count: many / 2) + "1",
            "age = 1" + String(repeating: "-1", count: many / 2),
            String(repeating: "boss.", count: many / 5) + "age = 1", String(repeating: "[", count: many),
            String(repeating: "any boss.employees.", count: many / 20), "age in " + String(repeating: "(", count: many),
            String(repeating: "a", count: many), "'" + String(repeating: "\u{301}", count: many) + "'",
            String(repeating: "\"", count: many), String(repeating: "age=", count: many / 4),
            String(repeating: "1", count: many) + " = age", String(repeating: " ", count: many),
            String(repeating: "(", count: 1_000_001),
        ]
        for example in texts {
            let error = #expect(throws: PredicateTextError.self, "\(example.prefix(20))") {
                try text.condition(example)
            }
            #expect((error?.message.count ?? 0) < 400)
            _ = error?.rendering
        }
        let tooLong = #expect(throws: PredicateTextError.self) {
            try text.condition(String(repeating: " ", count: 1_000_001))
        }
        #expect(tooLong?.message == "the text has 1000001 characters; at most 1000000 are read")
        let wide = Array(repeating: "age > 1", count: Seeds.count(10_000, all: 50_000)).joined(separator: " and ")
        #expect(try text.condition(wide) != .constant(true))
    }
}
