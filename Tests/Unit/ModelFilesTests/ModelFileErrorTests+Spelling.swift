import StrataModelFiles
import Testing

/// Findings about formats of values.
extension ModelFileErrorTests {
    private static let field = "/resources/0/schema/fields/0"

    /// Returns a field with a format, and the finding about it.
    private static func format(_ format: String, _ type: String, _ finding: String) -> (String, [String]) {
        (
            table(#"{"name": "x", "type": "\#(type)", "format": "\#(format)"}"#),
            ["\(field)/format: “\(format)” \(finding)"]
        )
    }

    /// Returns a field with a character for numbers, and the finding about it.
    private static func sign(_ member: String, _ sign: String) -> (String, [String]) {
        (
            table(#"{"name": "x", "type": "number", "strata:scale": 2, "\#(member)": "\#(sign)"}"#),
            [
                "\(field)/\(member): a letter, digit, plus, minus or control character is not allowed: it would be part of numbers"
            ]
        )
    }

    private static let letters =
        "the letters are %Y %y %m %b %B %h %d %e %j %a %A %H %I %p %M %S %f %z %F %T %D %R and %%"

    static let wrongSpellings: [(json: String, findings: [String])] = [
        (
            table(#"{"name": "x", "type": "boolean", "trueValues": ["y", "-"], "missingValues": ["", "-"]}"#),
            ["\(field)/trueValues: “-” is also a missing value"]
        ),
        (
            table(#"{"name": "x", "type": "boolean", "falseValues": ["n"]}"#, #", "missingValues": ["n"]"#),
            ["\(field)/falseValues: “n” is also a missing value"]
        ),
        (
            // The default words for false are also checked.
            table(
                #"{"name": "x", "type": "boolean", "falseValues": ["false", "False", "FALSE", "0"]}"#,
                #", "missingValues": ["0"]"#),
            ["\(field)/falseValues: “0” is also a missing value"]
        ),
        (
            table(#"{"name": "x", "type": "integer", "groupChar": ".", "decimalChar": "."}"#),
            ["\(field)/groupChar: “.” is both the decimal and the group character"]
        ),
        (
            table(#"{"name": "x", "type": "number", "strata:scale": 0, "groupChar": "."}"#),
            ["\(field)/groupChar: “.” is both the decimal and the group character"]
        ),
        sign("groupChar", "a"), sign("groupChar", "日"), sign("decimalChar", "0"), sign("decimalChar", "½"),
        sign("groupChar", "+"), sign("groupChar", "-"), sign("decimalChar", "−"), sign("groupChar", "\\t"),
        format("%d.%m.%Q", "date", "has the letter %Q, which is not supported; \(letters)"),
        format("%Y-%m-%d %Z", "datetime", "has the letter %Z, which is not supported; \(letters)"),
        format("%d.%m.%Y%", "date", "ends with an incomplete %; write %% for a percent sign"),
        format("%d.%m.%Y %y", "date", "has the year twice"),
        format("%%", "date", "has no full day: a year, a month and a day, or a year and %j"),
        format("%m.%Y", "date", "has no full day: a year, a month and a day, or a year and %j"),
        format("%j", "date", "has no full day: a year, a month and a day, or a year and %j"),
        format("%Y-%j-%d", "date", "has %j, which cannot be combined with a month and a day"),
        format("%F %H", "date", "has a time of day, but a date must not have one"),
        format("%F %T", "time", "has a day, but a time must not have one"),
        format("%a %T", "time", "has a day, but a time must not have one"),
        format("%T%z", "time", "has a zone, but a time of day must not have one"),
        format("%M:%S", "time", "has no hour (%H, or %I with %p)"),
        format("%H", "time", "has no minute (%M)"),
        format("%I:%M", "time", "has only one of %I and %p; use both or none"),
        format("%H:%M %p", "time", "has only one of %I and %p; use both or none"),
        format("%H:%M,%f", "time", "has a fraction of a second but no second (%S)"),
        format("%T", "datetime", "has no full day: a year, a month and a day, or a year and %j"),
        format("%F", "datetime", "has no hour (%H, or %I with %p)"),
        format("%F %H", "datetime", "has no minute (%M)"),
        (
            // The attribute's type determines the valid formats, not the type of the standard.
            table(#"{"name": "x", "type": "datetime", "strata:type": "day", "format": "%F %T"}"#),
            ["\(field)/format: “%F %T” has a time of day, but a date must not have one"]
        ),
    ]

    @Test(
        "valid date patterns, number characters and truth words are accepted",
        arguments: [
            #""type": "date", "format": "%e. %B %y""#, #""type": "date", "format": "100%% %a %Y %j""#,
            #""type": "time", "format": "%I:%M %p""#, #""type": "time", "format": "%T.%f""#,
            #""type": "datetime", "format": "%D %R%z""#,
            #""type": "string", "strata:type": "day", "format": "%h %d %Y""#,
            // Files may contain only the day of an attribute with the type of an instant.
            #""type": "datetime", "strata:type": "date", "format": "%d.%m.%Y""#,
            #""type": "integer", "groupChar": ".""#, #""type": "integer", "groupChar": ".", "decimalChar": ",""#,
            #""type": "number", "strata:scale": 2, "groupChar": "\u2009", "decimalChar": "٫""#,
            #""type": "boolean", "trueValues": ["n"], "falseValues": ["-"], "missingValues": ["", "x"]"#,
        ])
    func right(_ members: String) throws {
        let json = Self.table(#"{"name": "x", \#(members)}"#, #", "missingValues": ["-"]"#)
        #expect(throws: Never.self) { try ModelFile(json: Array(json.utf8), isStrict: true) }
    }
}
