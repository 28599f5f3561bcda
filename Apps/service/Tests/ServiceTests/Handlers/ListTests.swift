import Foundation
import HTTPTypes
import StrataDomain
import StrataPersistence
import Testing

@testable import Service

@Suite("Lists")
struct ListTests {
    private static let day = Date(timeIntervalSinceReferenceDate: 0)
    private static let colors: [any ManagedRecord] = (1...5).compactMap { number in
        Color.ID(rawValue: number).map { id in
            Color(
                id: id, hex: HexColor(red: UInt8(number), green: 0, blue: 0),
                name: number == 3 ? nil : "color \(number)", dateCreated: day + TimeInterval(number))
        }
    }

    private static func staff() throws -> [any ManagedRecord] {
        [
            Boss(id: 1, firstName: "Grace", lastName: "Hopper"),
            try Employee(id: 1, firstName: "Ada", lastName: "Lace", salary: 10, dateHired: day, boss: 1),
            try Employee(id: 2, firstName: "Bo", lastName: "Box", salary: 20, dateHired: day, boss: 1),
            try Employee(id: 3, firstName: "Cy", lastName: "Cox", salary: 50, dateHired: day),
        ]
    }

    @Test("links lead through all pages, forward and backward", arguments: ["", "&sort=-name", "&sort=name,-hex"])
    func pages(sort: String) async throws {
        try await TestService(Self.colors).run { client in
            let all = try await client.send(.get, "/colors?limit=200\(sort)").strings("id")
            #expect(all.count == 5)
            var (found, next) = ([JSON](), Optional("/colors?limit=2\(sort)"))
            var previous: String?
            while let path = next {
                let page = try await client.send(.get, path)
                found += try page.strings("id")
                next = page.link["next"]
                previous = page.link["prev"]
            }
            #expect(found == all)
            let last = try await client.send(.get, try #require(previous))
            #expect(try last.strings("id") == Array(all[2..<4]))
        }
    }

    @Test("each record of a list has the version of its entity tag")
    func versions() async throws {
        try await TestService(Self.colors).run { client in
            let versions = try await client.send(.get, "/colors").strings("version")
            let tag = try await client.send(.get, "/colors/1").headers[.eTag]
            guard case .integer(let version) = versions[0] else { throw CancellationError() }
            #expect(tag == "\"\(version)\"")
        }
    }

    @Test("the count is that of all records of the condition")
    func count() async throws {
        try await TestService(Self.colors).run { client in
            let answer = try await client.send(.get, "/colors?limit=1&count=true&where=name%20!%3D%20null")
            #expect(answer.headers[.totalCount] == "4")
            #expect(try answer.strings("id").count == 1)
            #expect(try await client.send(.get, "/colors").headers[.totalCount] == nil)
        }
    }

    @Test(
        "invalid parameters are 400",
        arguments: [
            "limit=0", "limit=201", "limit=x", "after=x", "after=a&before=b", "sort=size", "sort=-", "count=1",
            "where=size%20%3D%201", "where=name%20%3D", "where=", "page=1", "limit=1&limit=2",
        ])
    func invalidParameters(query: String) async throws {
        try await TestService(Self.colors).run { client in
            try await client.expect(.badRequest, .get, "/colors?\(query)")
        }
    }

    @Test(
        "properties that are not permitted are unknown to clients",
        arguments: ["sort=unitCost", "where=unitCost%20%3E%201", "where=length(unitCost)%20%3E%201"])
    func permittedProperties(query: String) async throws {
        try await TestService().run { client in
            try await client.expect(.badRequest, .get, "/items?\(query)")
            let groups = "/items/groups?by=name&aggregates=sum(unitCost)"
            try await client.expect(.badRequest, .get, groups)
        }
    }

    @Test("a condition is at most as long as the limit")
    func longCondition() async throws {
        var service = try TestService()
        service.limits.conditionBytes = 20
        try await service.run { client in
            let answer = try await client.send(
                .get, "/colors?where=name%20%3D%20'\(String(repeating: "a", count: 20))'")
            #expect(answer.status == .badRequest)
            #expect(answer.body.contains("20 bytes"))
        }
    }

    @Test("the token of another order is 400")
    func otherToken() async throws {
        try await TestService(Self.colors).run { client in
            let next = try #require(try await client.send(.get, "/colors?limit=2&sort=name").link["next"])
            try await client.expect(.badRequest, .get, next.replacing("sort=name", with: "sort=-name"))
        }
    }

    @Test("arithmetic that fails in a condition is 400")
    func arithmetic() async throws {
        try await TestService(Self.staff()).run { client in
            let answer = try await client.send(.get, "/employees?where=1%20%2F%20(salary%20-%2010)%20%3E%200")
            #expect([.badRequest, .ok].contains(answer.status))
            let overflow = try await client.send(
                .get, "/employees?where=salary%20*%209223372036854775807%20*%209223372036854775807%20%3E%200")
            #expect(overflow.status == .badRequest)
        }
    }

    @Test("groups contain the keys and the aggregates")
    func groups() async throws {
        try await TestService(Self.staff()).run { client in
            let answer = try await client.send(.get, "/employees/groups?by=boss&aggregates=count,avg(salary)")
            #expect(
                try answer.json == [
                    ["boss": nil, "count": 1, "avg(salary)": 50], ["boss": 1, "count": 2, "avg(salary)": 15],
                ])
            let total = try await client.send(.get, "/employees/groups?aggregates=sum(salary)")
            #expect(try total.json == [["sum(salary)": 80]])
        }
    }

    @Test(
        "invalid groups are 400", arguments: ["by=size", "aggregates=median(salary)", "aggregates=avg", "by=boss&x=1"])
    func invalidGroups(query: String) async throws {
        try await TestService().run { client in
            try await client.expect(.badRequest, .get, "/employees/groups?\(query)")
        }
    }

    @Test("an export has one line for each record and the count as trailer")
    func export() async throws {
        try await TestService(Self.colors).run { client in
            let answer = try await client.send(.get, "/colors/export")
            #expect(answer.headers[.contentType] == "application/x-ndjson")
            #expect(answer.body.split(separator: "\n").count == 5)
        }
    }
}
