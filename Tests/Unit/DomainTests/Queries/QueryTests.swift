import Foundation
import StrataDomain
import Testing

@Suite("Queries over plain values")
struct QueryTests {
    private static let colors: [Color] = [
        color(3, "#000003", "b", 30), color(1, "#000001", nil, 10), color(4, "#000004", "B", 10),
        color(2, "#000002", "é", 20),
    ]

    private static func color(_ id: Color.ID, _ hex: String, _ name: String?, _ seconds: Double) -> Color {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        return Color(
            id: id, hex: HexColor(rawValue: hex) ?? HexColor(red: 0, green: 0, blue: 0), name: name, dateCreated: date)
    }

    /// The queries with the selected identifiers; the explicit type shortens type checking.
    private static let orders: [(Query<Color>, [Int64])] = [
        (Query<Color>.all, [1, 2, 3, 4]),
        (Query(sort: [.descending(\.id)]), [4, 3, 2, 1]),
        (Query(sort: [.ascending(\.dateCreated)]), [1, 4, 2, 3]),
        (Query(sort: [.descending(\.dateCreated)]), [3, 2, 1, 4]),
        (Query(sort: [.ascending(\.dateCreated), .descending(\.id)]), [4, 1, 2, 3]),
        (Query(sort: [.ascending(\.name)]), [1, 4, 3, 2]),
        (Query(sort: [.descending(\.name)]), [2, 3, 4, 1]),
    ]

    @Test(
        "a query sorts by its keys and then by identifier, with absent values first",
        arguments: orders
    )
    func order(query: Query<Color>, expected: [Int64]) throws {
        #expect(try query.applied(to: Self.colors).map(\.id.rawValue) == expected)
    }

    @Test(
        "a query skips the offset and then applies the limit",
        arguments: [(nil, 0, [1, 2, 3, 4]), (2, 1, [2, 3]), (0, 0, []), (9, 3, [4]), (1, 9, [])]
            as [(Int?, Int, [Int64])]
    )
    func page(limit: Int?, offset: Int, expected: [Int64]) throws {
        let query = Query<Color>(limit: limit, offset: offset)
        #expect(try query.applied(to: Self.colors).map(\.id.rawValue) == expected)
    }

    @Test(
        "applying a query with a negative limit or offset throws",
        arguments: [
            (Query<Color>(limit: -1), "Query.limit: -1 is less than 0"),
            (Query<Color>(offset: -2), "Query.offset: -2 is less than 0"),
        ]
    )
    func negative(query: Query<Color>, message: String) {
        let error = #expect(throws: DomainError.self) { try query.applied(to: Self.colors) }
        #expect(error?.description == message)
        #expect(error?.code == .invalidQuery)
    }

    @Test("canonically equal strings with different bytes are ordered by their bytes")
    func bytes() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        let colors = [Self.color(1, "#000", composed, 0), Self.color(2, "#000", decomposed, 0)]
        #expect(try Query(sort: [.ascending(\.name)]).applied(to: colors).map(\.id) == [2, 1])
    }

    @Test("a sort key has a property and a direction")
    func key() {
        let key = Query<Color>.Sort.descending(\.name)
        #expect(key.path as AnyKeyPath == \Color.name)
        #expect(key.order == .reverse)
    }
}
