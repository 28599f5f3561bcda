import StrataPersistence

extension StoreContract {
    /// The checks of texts with a format.
    ///
    /// A text attribute can have a format, such as a date and time or a number of any size. A store must:
    ///
    /// - sort such texts, and compare them with `<` and the other ordering comparisons, by their meaning: 9.5 is less
    ///   than 10
    /// - sort texts with equal meanings by identifier, as it does for equal values
    /// - compare with `=` and in lists by bytes, so that `10` is not equal to `010.0`
    /// - reject an ordering comparison with a constant that does not have the format, with the code `invalidRequest`
    static var formats: [Check] {
        [
            Check("texts with a format are ordered by their meaning, and equal only if their bytes are equal") {
                probe in
                try probe.insert(
                    "Reading",
                    [
                        (1, ["moment": .string("2024-01-26T10:00:00+02:00"), "figure": .string("10")]),
                        (2, ["moment": .string("2024-01-26T09:00:00Z"), "figure": .string("9.5")]),
                        (3, ["moment": .string("2024-01-26T08:00:00.000Z"), "figure": .string("-1e2")]),
                        (4, [:]),
                        (5, ["moment": .string("2024-01-26T23:30:00-09:00"), "figure": .string("010.0")]),
                    ])
                try order(probe)
                try letters(probe)
            }
        ]
    }

    /// Checks sort keys, windows of sorted rows, and ordering comparisons of texts with a format.
    private static func order(_ probe: ContractProbe) throws {
        let sorts: [(StoreRequest.Sort, [Int64])] = [
            (.init("moment"), [4, 1, 3, 2, 5]), (.init("moment", descending: true), [5, 2, 1, 3, 4]),
            (.init("figure"), [4, 3, 2, 1, 5]), (.init("figure", descending: true), [1, 5, 2, 3, 4]),
        ]
        for (key, wanted) in sorts {
            probe.expectEqual(try probe.ids("Reading", sort: [key]), wanted, "by \(key)")
            let window = try probe.ids("Reading", sort: [key], limit: 2, offset: 1)
            probe.expectEqual(window, Array(wanted[1...2]), "a window by \(key)")
        }
        let eight = FetchOperand.constant(.string("2024-01-26T08:00:00Z"))
        let (moment, figure) = (FetchOperand.property("moment"), FetchOperand.property("figure"))
        let comparisons: [(FetchCondition, [Int64])] = [
            (.compare(moment, .greater, eight), [2, 5]), (.compare(moment, .greaterOrEqual, eight), [1, 2, 3, 5]),
            (.compare(moment, .less, eight), []), (.compare(moment, .lessOrEqual, eight), [1, 3]),
            (.compare(eight, .less, moment), [2, 5]),
            (.not(.compare(moment, .lessOrEqual, eight)), [2, 4, 5]),
            (.compare(figure, .greaterOrEqual, .constant(.string("1e1"))), [1, 5]),
            (.compare(figure, .less, .constant(.string("9.50"))), [3]),
            (.compare(.coalesce(figure, .constant(.string("0"))), .less, .constant(.string("1"))), [3, 4]),
        ]
        for (condition, wanted) in comparisons {
            probe.expectEqual(try probe.ids("Reading", where: condition), wanted, "\(condition)")
        }
        let none = FetchCondition.compare(moment, .less, .constant(.string("yesterday")))
        probe.expectError(.invalidRequest, "a constant that is not of the form") {
            _ = try probe.ids("Reading", where: none)
        }
    }

    /// Checks that equality distinguishes two spellings of one number or one instant.
    private static func letters(_ probe: ContractProbe) throws {
        func same(_ name: String, _ text: String) -> FetchCondition {
            .compare(.property(name), .equal, .constant(.string(text)))
        }
        probe.expectEqual(try probe.ids("Reading", where: same("figure", "10.0")), [], "another spelling of 10")
        probe.expectEqual(try probe.ids("Reading", where: same("figure", "010.0")), [5], "the spelling")
        let list = FetchCondition.isIn(.property("moment"), [.string("2024-01-26T08:00:00Z")])
        probe.expectEqual(try probe.ids("Reading", where: list), [], "another spelling of a moment in a list")
    }
}
