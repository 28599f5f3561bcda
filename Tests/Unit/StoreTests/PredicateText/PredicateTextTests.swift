import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Predicates in text and the expected conditions.
@Suite("Predicate text")
struct PredicateTextTests {
    private static func path(_ steps: String...) -> FetchOperand {
        steps.dropLast().reversed().reduce(.property(steps.last ?? "")) { .related($1, $0) }
    }
    private static let (age, salary, rating) = (path("age"), path("salary"), path("rating"))
    private static let (last, first, active) = (path("lastName"), path("firstName"), path("isActive"))
    private static func text(_ text: String) -> FetchOperand { .constant(.string(text)) }
    private static func number(_ number: Int64) -> FetchOperand { .constant(.integer(number)) }
    private static func decimal(_ unscaled: Int64, _ scale: UInt8) -> FetchOperand {
        .constant(.decimal(ScaledDecimal(unscaled: unscaled, scale: scale)))
    }
    private static func date(_ text: String) throws -> FetchOperand {
        .constant(.date(try Date(text, strategy: .iso8601)))
    }
    private static func isOver(_ years: Int64) -> FetchCondition { .compare(age, .greater, number(years)) }

    static let comparisons: [(String, FetchCondition)] = [
        ("age = 5", .compare(age, .equal, number(5))), ("age == 5", .compare(age, .equal, number(5))),
        ("age != 5", .compare(age, .notEqual, number(5))), ("age <> 5", .compare(age, .notEqual, number(5))),
        ("age < 5", .compare(age, .less, number(5))), ("age <= 5", .compare(age, .lessOrEqual, number(5))),
        ("age =< 5", .compare(age, .lessOrEqual, number(5))), ("age > 5", .compare(age, .greater, number(5))),
        ("age >= 5", .compare(age, .greaterOrEqual, number(5))),
        ("age => 5", .compare(age, .greaterOrEqual, number(5))), ("age≥5", .compare(age, .greaterOrEqual, number(5))),
        ("5<age", .compare(number(5), .less, age)), ("  age\n=\t5 ", .compare(age, .equal, number(5))),
        ("age = -9223372036854775808", .compare(age, .equal, number(.min))),
        ("age = 9223372036854775807", .compare(age, .equal, number(.max))),
        ("age > 1.5", .compare(age, .greater, decimal(15, 1))), ("id = 3", .compare(path("id"), .equal, number(3))),
        ("salary >= 50000", .compare(salary, .greaterOrEqual, number(50_000))),
        ("salary = 0.10", .compare(salary, .equal, decimal(10, 2))),
        ("salary = 1.5e3", .compare(salary, .equal, number(1500))),
        ("rating > .5", .compare(rating, .greater, .constant(.double(0.5)))),
        ("rating > 2", .compare(rating, .greater, .constant(.double(2)))),
        ("rating = -1e-3", .compare(rating, .equal, .constant(.double(-0.001)))),
        ("isActive", .isTrue(active)), ("not isActive", .not(.isTrue(active))),
        ("isActive = yes", .compare(active, .equal, .constant(.boolean(true)))),
        ("isActive = FALSE", .compare(active, .equal, .constant(.boolean(false)))),
        ("isActive == 1", .compare(active, .equal, .constant(.boolean(true)))),
        ("age = null", .compare(age, .equal, .constant(.null))),
        ("age != nil", .compare(age, .notEqual, .constant(.null))),
        ("age is null", .compare(age, .equal, .constant(.null))),
        ("age IS NOT NULL", .compare(age, .notEqual, .constant(.null))),
        ("lastName = 'O\\'Neil'", .compare(last, .equal, text("O'Neil"))),
        ("lastName = 'O''Neil'", .compare(last, .equal, text("O'Neil"))),
        ("lastName = ''''", .compare(last, .equal, text("'"))),
        ("lastName = \"a\"\"b''\"", .compare(last, .equal, text("a\"b''"))),
        ("lastName = ''", .compare(last, .equal, text(""))),
        (
            "lastName = \"say \\\"hi\\\" \\\\ \\n\\t\\u00e9\\u{1F600}\"",
            .compare(last, .equal, text("say \"hi\" \\ \n\té😀"))
        ),
        ("lastName = \"it's\"", .compare(last, .equal, text("it's"))),
        ("lastName < firstName", .compare(last, .less, first)),
        ("boss = 7", .compare(path("boss"), .equal, number(7))),
        ("boss is null", .compare(path("boss"), .equal, .constant(.null))),
        ("badge = 7", .compare(path("badge", "id"), .equal, number(7))),
        ("`between` > 3", .compare(path("between"), .greater, number(3))),
        ("#between > 3", .compare(path("between"), .greater, number(3))),
        (
            "lastName =[c] 'ito'",
            .compare(last, .equal, text("ito"))
                || (.startsWith(last, text("ito"), ignoringCase: true)
                    && .startsWith(text("ito"), last, ignoringCase: true))
        ),
        ("true", .constant(true)), ("FALSEPREDICATE", .constant(false)), ("TruePredicate", .constant(true)),
    ]

    /// The instant that `now()` returns here.
    private static let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private static func lower(_ operand: FetchOperand) -> FetchOperand { .function(.lowercased, operand) }
    private static func round(_ operand: FetchOperand, _ digits: Int) -> FetchOperand {
        .function(.rounded(digits: digits), operand)
    }

    static let functions: [(String, FetchCondition)] = [
        ("lower(lastName) = 'ito'", .compare(lower(last), .equal, text("ito"))),
        ("UPPER ( lastName ) = 'ITO'", .compare(.function(.uppercased, last), .equal, text("ITO"))),
        ("trim(lastName) contains 'a'", .contains(.function(.trimmed, last), text("a"))),
        ("length(lastName) > 3", .compare(.function(.length, last), .greater, number(3))),
        ("length(photo) in {1, 2}", .isIn(.function(.length, path("photo")), [.integer(1), .integer(2)])),
        (
            "abs(age) between {1, 2}",
            .compare(.function(.absolute, age), .greaterOrEqual, number(1))
                && .compare(.function(.absolute, age), .lessOrEqual, number(2))
        ),
        ("round(salary) = 5", .compare(round(salary, 0), .equal, number(5))),
        (
            "round(salary * 1.10, 2) > salary",
            .compare(
                round(.arithmetic(salary, .multiply, decimal(110, 2)), 2), .greater, salary)
        ),
        ("round(salary, -3) = 5000", .compare(round(salary, -3), .equal, number(5000))),
        ("round(rating, 1) = 1.5", .compare(round(rating, 1), .equal, .constant(.double(1.5)))),
        (
            "round(rating + 1, 1) = 2",
            .compare(
                round(.arithmetic(rating, .add, .constant(.double(1))), 1), .equal, .constant(.double(2)))
        ),
        ("coalesce(salary, 0) = 0", .compare(.coalesce(salary, number(0)), .equal, number(0))),
        (
            "coalesce(firstName, lastName, '') = 'x'",
            .compare(
                .coalesce(first, .coalesce(last, text(""))), .equal, text("x"))
        ),
        (
            "coalesce(rating, 1) > 0",
            .compare(
                .coalesce(rating, .constant(.double(1))), .greater, .constant(.double(0)))
        ),
        ("coalesce(isActive, false)", .isTrue(.coalesce(active, .constant(.boolean(false))))),
        (
            "coalesce(dateHired, '2020-01-31') < now()",
            .compare(
                .coalesce(path("dateHired"), .constant(.date(Date(timeIntervalSince1970: 1_580_428_800)))), .less,
                .constant(.date(now)))
        ),
        ("dateHired <= now()", .compare(path("dateHired"), .lessOrEqual, .constant(.date(now)))),
        ("not (lower(boss.lastName) = 'ito')", .not(.compare(lower(path("boss", "lastName")), .equal, text("ito")))),
        (
            "count(boss.employees) > length(lastName)",
            .compare(
                .related("boss", .relatedCount("employees", .constant(true))), .greater, .function(.length, last))
        ),
        (
            "-abs(age) < 0 and not(isActive)",
            .all([
                .compare(.negated(.function(.absolute, age)), .less, number(0)), .not(.isTrue(active)),
            ])
        ),
        ("lower(trim(lastName)) like '?b*'", .like(lower(.function(.trimmed, last)), "?b*")),
        (
            "any boss.employees.lastName = lower('Ito')",
            .related(
                "boss",
                .related(
                    "employees", .compare(last, .equal, lower(text("Ito")))))
        ),
    ]

    @Test("a function call is parsed as the expected condition", arguments: functions)
    func function(_ example: (String, FetchCondition)) throws {
        let text = try PredicateText("Employee", in: Staff.model(), now: { Self.now })
        #expect(try text.condition(example.0) == example.1)
    }

    @Test("calculated values can be used as sort keys and in assignments")
    func calculated() throws {
        let text = try PredicateText("Employee", in: Staff.model(), now: { Self.now })
        #expect(
            try text.sort("length(lastName) desc, salary * 2, boss.employees.@count desc, -age, lastName") == [
                .init(key: .value(.function(.length, Self.last)), descending: true),
                .init(key: .value(.arithmetic(Self.salary, .multiply, Self.number(2)))),
                .init(key: .value(.related("boss", .relatedCount("employees", .constant(true)))), descending: true),
                .init(key: .value(.negated(Self.age))), .init("lastName"),
            ])
        #expect(
            try text.assignments("salary = round(salary * 1.1, 2), lastName = trim(lastName), rating = abs(rating)")
                .map(\.value)
                == [
                    Self.round(.arithmetic(Self.salary, .multiply, Self.decimal(11, 1)), 2),
                    .function(.trimmed, Self.last), .function(.absolute, Self.rating),
                ])
    }

    static let others: [(String, FetchCondition)] = [
        ("lastName contains 'an'", .contains(last, text("an"))),
        ("lastName CONTAINS[c] 'an'", .contains(last, text("an"), ignoringCase: true)),
        ("lastName beginswith \"A\"", .startsWith(last, text("A"))),
        ("lastName BEGINSWITH [C] \"A\"", .startsWith(last, text("A"), ignoringCase: true)),
        ("lastName endswith[c] 'n'", .endsWith(last, text("n"), ignoringCase: true)),
        ("lastName ENDSWITH firstName", .endsWith(last, first)), ("lastName like 'a*\\\\*'", .like(last, "a*\\*")),
        ("lastName not like[c] '?b'", .not(.like(last, "?b", ignoringCase: true))),
        ("lastName not contains 'an'", .not(.contains(last, text("an")))),
        ("age in {1, 2, 3}", .isIn(age, [.integer(1), .integer(2), .integer(3)])),
        ("age IN (1, null)", .isIn(age, [.integer(1), .null])), ("age in []", .isIn(age, [])),
        ("lastName in ['a', 'b']", .isIn(last, [.string("a"), .string("b")])),
        ("rating not in {1}", .not(.isIn(rating, [.double(1)]))),
        ("age between {1, 5}", .compare(age, .greaterOrEqual, number(1)) && .compare(age, .lessOrEqual, number(5))),
        (
            "not age between {1, boss.age}",
            .not(.compare(age, .greaterOrEqual, number(1)) && .compare(age, .lessOrEqual, path("boss", "age")))
        ),
        ("age > 1 and age > 2 AND age > 3", .all([isOver(1), isOver(2), isOver(3)])),
        ("age > 1 or age > 2 && age > 3", .any([isOver(1), .all([isOver(2), isOver(3)])])),
        ("(age > 1 || age > 2) and age > 3", .all([.any([isOver(1), isOver(2)]), isOver(3)])),
        ("not age > 1 and age > 2", .all([.not(isOver(1)), isOver(2)])),
        ("!(age > 1 and age > 2)", .not(.all([isOver(1), isOver(2)]))), ("!!isActive", .not(.not(.isTrue(active)))),
        ("((age)) > (1)", isOver(1)),
        ("age + 1 > 2", .compare(.arithmetic(age, .add, number(1)), .greater, number(2))),
        (
            "(age + 1) * 2 - 3 = 4",
            .compare(
                .arithmetic(.arithmetic(.arithmetic(age, .add, number(1)), .multiply, number(2)), .subtract, number(3)),
                .equal, number(4))
        ),
        ("age / 2 = 1", .compare(.arithmetic(age, .divideWhole, number(2)), .equal, number(1))),
        (
            "rating / 2 = 1",
            .compare(.arithmetic(rating, .divide, .constant(.double(2))), .equal, .constant(.double(1)))
        ),
        (
            "0.5 * 2 < rating",
            .compare(.arithmetic(.constant(.double(0.5)), .multiply, .constant(.double(2))), .less, rating)
        ),
        ("-age < +5", .compare(.negated(age), .less, number(5))),
        ("salary * 1.1 > 100", .compare(.arithmetic(salary, .multiply, decimal(11, 1)), .greater, number(100))),
    ]

    static let related: [(String, FetchCondition)] = [
        ("boss.lastName = 'Ito'", .compare(path("boss", "lastName"), .equal, text("Ito"))),
        ("boss.company.name beginswith 'A'", .startsWith(path("boss", "company", "name"), text("A"))),
        ("badge.number < age", .compare(path("badge", "number"), .less, age)),
        (
            "boss.employees.@count > 3",
            .compare(.related("boss", .relatedCount("employees", .constant(true))), .greater, number(3))
        ),
        (
            "any boss.employees.age > 5",
            .related("boss", .related("employees", .compare(age, .greater, number(5))))
        ),
        (
            "all boss.employees.lastName contains[c] 'a' and age > 1",
            .all([
                .not(.related("boss", .related("employees", .not(.contains(last, text("a"), ignoringCase: true))))),
                isOver(1),
            ])
        ),
        ("NONE boss.employees.isActive", .not(.related("boss", .related("employees", .isTrue(active))))),
        ("some boss.employees = 4", .related("boss", .related("employees", .compare(path("id"), .equal, number(4))))),
        (
            "any boss.employees.boss.lastName in {'x'}",
            .related("boss", .related("employees", .isIn(path("boss", "lastName"), [.string("x")])))
        ),
    ]

    @Test("a predicate is parsed as the expected condition", arguments: comparisons + others + related)
    func condition(_ example: (String, FetchCondition)) throws {
        #expect(try PredicateText("Employee", in: Staff.model()).condition(example.0) == example.1)
    }

    static let ofBosses: [(String, FetchCondition)] = [
        ("employees.@count = 0", .compare(.relatedCount("employees", .constant(true)), .equal, number(0))),
        ("COUNT(employees) = 0", .compare(.relatedCount("employees", .constant(true)), .equal, number(0))),
        (
            "any employees.salary >= 10.5",
            .related("employees", .compare(salary, .greaterOrEqual, decimal(105, 1)))
        ),
        (
            "all employees.dateHired != null",
            .not(.related("employees", .not(.compare(path("dateHired"), .notEqual, .constant(.null)))))
        ),
        (
            "any employees.age between {1, 2}",
            .related("employees", .compare(age, .greaterOrEqual, number(1)) && .compare(age, .lessOrEqual, number(2)))
        ),
    ]

    @Test("a predicate across a to-many relationship is parsed as the expected condition", arguments: ofBosses)
    func conditionOfBosses(_ example: (String, FetchCondition)) throws {
        #expect(try PredicateText("Boss", in: Staff.model()).condition(example.0) == example.1)
    }

    @Test("a constant has the type of the property that it is compared with")
    func kinds() throws {
        let text = try PredicateText("Employee", in: Staff.model())
        func constant(_ predicate: String) throws -> StoredValue? {
            guard case .compare(_, _, .constant(let value)) = try text.condition(predicate) else { return nil }
            return value
        }
        let dates: [(String, String)] = [
            ("2020-01-31", "2020-01-31T00:00:00Z"), ("2020-02-29T10:11", "2020-02-29T10:11:00Z"),
            ("1969-12-31 23:59:59Z", "1969-12-31T23:59:59Z"), ("2000-02-29T00:00:01+02:30", "2000-02-28T21:30:01Z"),
            ("1600-03-01", "1600-03-01T00:00:00Z"), ("2400-12-31T23:00-0100", "2401-01-01T00:00:00Z"),
        ]
        for (written, instant) in dates {
            let wanted = StoredValue.date(try Date(instant, strategy: .iso8601))
            #expect(try constant("dateHired >= '\(written)'") == wanted, "\(written)")
        }
        // A predicate accepts every date that an import accepts.
        for written in [
            "20200131", "+012345-01-02", "-000001-12-31", "2020-01-31T24:00", "20200131T101112,5+02",
            "2020-01-31 10:11 Z",
        ] {
            let wanted = StoredValue.date(try DateText.parse(Array(written.utf8).span))
            #expect(try constant("dateHired >= '\(written)'") == wanted, "\(written)")
        }
        let half = Date(timeIntervalSinceReferenceDate: 600_000_000.5)
        #expect(try constant("dateHired = '2020-01-06T10:40:00.5Z'") == .date(half))
        let uuid = UUID()
        #expect(try constant("token = '\(uuid.uuidString.lowercased())'") == .uuid(uuid))
        #expect(try constant("photo = 'AAEC'") == .binary(Data([0, 1, 2])))
        #expect(try constant("boss.age = 5") == .integer(5))
    }

    static let sorts: [(String, [StoreRequest.Sort])] = [
        ("", []), ("  ", []), ("lastName", [.init("lastName")]), ("lastName asc", [.init("lastName")]),
        ("dateHired DESC, lastName", [.init("dateHired", descending: true), .init("lastName")]),
        ("boss.lastName descending,id", [.init("boss.lastName", descending: true), .init("id")]),
        ("boss.company.name Ascending", [.init("boss.company.name")]), ("boss", [.init("boss")]),
        ("badge", [.init("badge.id")]), ("badge.number desc", [.init("badge.number", descending: true)]),
        ("`between`", [.init("between")]), ("boss.company", [.init("boss.company")]),
        ("badge.holder.id", [.init("badge.holder.id")]),
    ]

    @Test("a sort order is parsed as the expected keys", arguments: sorts)
    func sort(_ example: (String, [StoreRequest.Sort])) throws {
        let model = try Staff.model()
        let keys = try PredicateText("Employee", in: model).sort(example.0)
        #expect(keys == example.1)
        try StoreRequest("Employee", sort: keys).validate(in: model)
    }

    @Test("assignments are parsed as the expected values with their positions")
    func assignments() throws {
        let text = try PredicateText("Employee", in: Staff.model())
        let found = try text.assignments(
            "salary = salary * 2 + 100, lastName='x',boss = null, rating = age, isActive=no")
        #expect(found.map(\.name) == ["salary", "lastName", "boss", "rating", "isActive"])
        #expect(found.map(\.column) == [1, 28, 41, 54, 68])
        #expect(
            found.map(\.value) == [
                .arithmetic(.arithmetic(Self.salary, .multiply, Self.number(2)), .add, Self.number(100)),
                Self.text("x"), .constant(.null), Self.age, .constant(.boolean(false)),
            ])
        #expect(try text.assignments("lastName = boss.lastName").map(\.value) == [Self.path("boss", "lastName")])
    }
}
