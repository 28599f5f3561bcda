#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataPostgreSQL
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Functions on the server", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct FunctionTests {
    private static let texts = [
        "", "0", "-0", "+0.00", "1", "-1", "007", "-12.50", "+3.", ".5", "-.25", "1e3", "1E-3", "-1.5e+10",
        "9e99999999999999999999",
        "1e-99999999999999999999", "e5", ".", "1.2.3", "2024", "0044", "-0044", "12345", "012345", "2024-01",
        "-0044-12", "2024-13",
        "2024-01-26T10:11:12", "2024-01-26T10:11:12Z", "2024-01-26T10:11:12.5+02:00",
        "2024-01-26T10:11:12.123456789-13:59",
        "2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "0000-01-01T00:00:00Z", "0000-03-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
        "2024-01-26T24:00:00Z", "2024-01-26T10:11:12+14:00", "2024-01-26T10:11:12+14:01",
        "2024-01-26T10:11:12.1234567890Z",
        "2000-12-31T23:59:59-14:00", "1900-02-28T12:00:00", "2024-01-26 10:11:12Z", "２０２４", "2024\n", "a'b", "~",
    ]

    @Test(
        "texts with a format are sorted as in other stores", arguments: TextFormat.allCases.filter(\.isOrdered)
    )
    func keys(_ format: TextFormat) throws {
        let model = try ManagedObjectModel([
            EntityDescription("Reading", [.attribute(AttributeDescription("text", .string))])
        ])
        let store = try Server.provider().open(model, options: StoreOptions())
        defer { #expect(throws: Never.self) { try store.close() } }
        var changes = ChangeSet()
        changes["Reading"].insertions = Self.texts.enumerated().map { .init(id: Int64($0) + 1, values: [.string($1)]) }
        #expect(try store.save(changes).isEmpty)
        for (index, text) in Self.texts.enumerated() {
            let key = FetchCondition.compare(
                .function(.inOrder(of: format), .property("text")), .equal,
                .constant(.string(format.orderKey(of: text))))
            let isIt = FetchCondition.compare(.property("id"), .equal, .constant(.integer(Int64(index) + 1)))
            #expect(try store.count(StoreRequest("Reading", where: key && isIt)) == 1, "\(text)")
        }
    }

    @Test("products and quotients of doubles equal those of other stores in every bit", arguments: [0, 1, 2, 3])
    func tiny(_ part: Int) throws {
        let model = try ManagedObjectModel([
            EntityDescription("Reading", [.attribute(AttributeDescription("number", .double))])
        ])
        let store = try Server.provider().open(model, options: StoreOptions())
        defer { #expect(throws: Never.self) { try store.close() } }
        let exponents = [-1074, -1073, -1022, -565, -538, -537, -536, -500, -1, 0, 1, 2, 500, 537, 1023]
        let mantissas: [Double] = [1, 1.0.nextUp, 1.5, 2.0.nextDown]
        let numbers = exponents.flatMap { exponent in mantissas.map { $0 * exp2(Double(exponent)) } }
        var changes = ChangeSet()
        changes["Reading"].insertions = numbers.enumerated().map { .init(id: Int64($0) + 1, values: [.double($1)]) }
        #expect(try store.save(changes).isEmpty)
        for (index, number) in numbers.enumerated() where index % 4 == part {
            for (operation, sign) in [(FetchArithmetic.multiply, 1.0), (.multiply, -1), (.divide, 1), (.divide, -1)] {
                let other = sign * number
                // Only results without an overflow are compared.
                let results = numbers.map { operation == .multiply ? $0 * other : $0 / other }
                let fine = numbers.indices.filter { results[$0].isFinite }
                let result = FetchOperand.arithmetic(.property("number"), operation, .constant(.double(other)))
                let isFine = FetchCondition.isIn(.property("id"), fine.map { .integer(Int64($0) + 1) })
                for value in Set(fine.map { results[$0] }) {
                    let isSame = FetchCondition.compare(result, .equal, .constant(.double(value)))
                    #expect(
                        try store.rows(StoreRequest("Reading", where: isFine && isSame)).map(\.id)
                            == fine.filter { results[$0] == value }.map { Int64($0) + 1 },
                        "\(operation) \(other): \(value)")
                }
            }
        }
    }

    @Test("doubles are rounded as in other stores: exactly, with halves away from zero")
    func rounding() throws {
        let model = try ManagedObjectModel([
            EntityDescription("Reading", [.attribute(AttributeDescription("number", .double))])
        ])
        let store = try Server.provider().open(model, options: StoreOptions())
        defer { #expect(throws: Never.self) { try store.close() } }
        let numbers: [Double] = [
            0, 2.675, -2.675, 0.125, 1e300, -1e300, .leastNonzeroMagnitude, 0.1, 1.005, 4_503_599_627_370_497.5,
            9_007_199_254_740_992,
            1e22, 123.456,
        ]
        var changes = ChangeSet()
        changes["Reading"].insertions = numbers.enumerated().map { .init(id: Int64($0) + 1, values: [.double($1)]) }
        #expect(try store.save(changes).isEmpty)
        for digits in [-18, -3, -1, 0, 1, 2, 3, 10, 18] {
            for (index, number) in numbers.enumerated() {
                let function = FetchFunction.rounded(digits: digits)
                let rounded = try function.apply(.double(number))
                let isSame = FetchCondition.compare(
                    .function(function, .property("number")), .equal, .constant(rounded))
                let isIt = FetchCondition.compare(.property("id"), .equal, .constant(.integer(Int64(index) + 1)))
                #expect(try store.count(StoreRequest("Reading", where: isSame && isIt)) == 1, "\(number) to \(digits)")
            }
        }
    }
}
#endif
