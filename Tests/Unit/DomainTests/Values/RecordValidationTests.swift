import Foundation
import StrataDomain
import Testing

@Suite("Validation of records")
struct RecordValidationTests {
    private static let date = Date(timeIntervalSinceReferenceDate: 0)

    private func item(cost: Decimal = 1, price: Decimal = 2, stock: Int = 0) throws -> Item {
        try Item(
            id: 1,
            itemId: UUID(),
            dateCreated: Self.date,
            name: "Cup",
            unitCost: cost,
            unitPrice: price,
            stockCount: stock
        )
    }

    @Test("an employee with a negative salary is rejected")
    func salary() throws {
        let free = try Employee(id: 1, firstName: "A", lastName: "B", salary: 0, dateHired: Self.date)
        #expect(free.salary == 0 && free.boss == nil)
        let error = #expect(throws: DomainError.self) {
            try Employee(id: 1, firstName: "A", lastName: "B", salary: -1, dateHired: Self.date)
        }
        #expect(error?.description == "Employee.salary: -1 is less than 0")
        #expect(error?.code == .outOfRange)
    }

    @Test("an item with a negative stock is rejected")
    func stock() {
        let error = #expect(throws: DomainError.self) { try item(stock: -5) }
        #expect(error?.description == "Item.stockCount: -5 is less than 0")
    }

    @Test(
        "an item accepts a price within the range and with at most two decimal digits",
        arguments: ["0", "0.01", "5.7000", "100.10", "12e3", "92233720368547758.07", "0.00"]
    )
    func price(text: String) throws {
        let price = try #require(Decimal(string: text))
        #expect(try item(cost: price, price: price).unitCost == price)
    }

    @Test(
        "an item rejects a price outside the range or with more than two decimal digits",
        arguments: [
            ("-0.01", DomainError.Code.outOfRange, "-0.01 is less than 0"),
            ("92233720368547758.08", .outOfRange, "92233720368547758.08 is more than 92233720368547758.07"),
            ("0.125", .tooManyDigits, "0.125 has more than 2 digits after the point"),
            ("1e-9", .tooManyDigits, "0.000000001 has more than 2 digits after the point"),
            ("NaN", .notANumber, "NaN is not a finite number"),
        ]
    )
    func badPrice(text: String, code: DomainError.Code, message: String) throws {
        let price = text == "NaN" ? Decimal.nan : try #require(Decimal(string: text))
        let cost = #expect(throws: DomainError.self) { try item(cost: price) }
        #expect(cost == DomainError(code: code, type: "Item", property: "unitCost", message: message))
        let sale = #expect(throws: DomainError.self) { try item(price: price) }
        #expect(sale?.description == "Item.unitPrice: \(message)")
    }

    @Test("an item accepts a calculated price whose trailing decimal digits are zeros")
    func computedPrice() throws {
        let half = try #require(Decimal(string: "0.125"))
        #expect(try item(cost: half * 8).unitCost == 1)
        #expect(try item(cost: half * half * 64).unitCost == 1)
    }

    @Test("the greatest price is the greatest 64-bit integer, counted in hundredths")
    func greatestPrice() {
        #expect("\(Item.priceRange.upperBound * 100)" == "\(Int64.max)")
    }
}
