import Foundation
import StrataDomain
import Synchronization
import Testing

@testable import PaletteService

@Suite("The palette service, without a store")
struct PaletteServiceTests {
    private let day = Date(timeIntervalSinceReferenceDate: 0)

    private func color(_ id: Int, _ hex: String, name: String? = nil) throws -> Color {
        try Color(id: Color.ID(id), hex: HexColor(hex), name: name, dateCreated: day + Double(id))
    }

    struct Mixture: Sendable {
        let palette: [String]
        let hex: String
        let name: String?

        static let all = [
            Mixture(palette: [], hex: "#FFFFFF", name: nil),
            Mixture(palette: ["#FFFFFF"], hex: "#000000", name: nil),
            Mixture(palette: ["#FFFFFF", "#000000"], hex: "#7F7F7F", name: "#000000 and #FFFFFF"),
            Mixture(palette: ["#123456", "#FF0000", "#0000FF"], hex: "#7F007F", name: "#0000FF and #FF0000"),
        ]
    }

    @Test("a new color is halfway between the two newest colors", arguments: Mixture.all)
    func mix(mixture: Mixture) async throws {
        let colors = try mixture.palette.enumerated().map { try color($0 + 1, $1) }
        try await confirmation { created in
            let double = ColorsDouble(
                colors: colors,
                created: { hex, name in
                    #expect(hex.rawValue == mixture.hex)
                    #expect(name == mixture.name)
                    created()
                })
            try await PaletteService(colors: double, employees: EmployeesDouble()).mix()
        }
    }

    @Test("the name of a mixture has at most forty characters")
    func longNames() async throws {
        let long = String(repeating: "x", count: 40)
        let colors = [try color(1, "#FFF", name: long), try color(2, "#000", name: long)]
        try await confirmation { created in
            let double = ColorsDouble(
                colors: colors,
                created: { _, name in
                    #expect(name == long)
                    created()
                })
            try await PaletteService(colors: double, employees: EmployeesDouble()).mix()
        }
    }

    @Test("the oldest colors are deleted if there are too many", arguments: [(100, []), (101, [1]), (103, [1, 2, 3])])
    func trim(count: Int, removed: [Int]) async throws {
        let deleted = Mutex<[Int64]>([])
        let colors = try (1...count).map { try color($0, "#FFF") }
        let double = ColorsDouble(colors: colors, deleted: { id in deleted.withLock { $0.append(id.rawValue) } })
        try await PaletteService(colors: double, employees: EmployeesDouble()).trim()
        #expect(deleted.withLock { $0 } == removed.map(Int64.init))
    }

    @Test(
        "the first painter is hired, and existing painters get a raise of one",
        arguments: [([], [100]), ([7, 9], [8, 10])])
    func pay(before: [Int], after: [Int]) async throws {
        let saved = Mutex<[Int]>([])
        let painters = try before.enumerated().map { number, salary in
            try Employee(id: .init(number + 1), firstName: "E", lastName: "", salary: salary, dateHired: day)
        }
        let double = EmployeesDouble(employees: painters, saved: { one in saved.withLock { $0.append(one.salary) } })
        try await PaletteService(colors: ColorsDouble(), employees: double).pay()
        #expect(saved.withLock { $0 } == after)
    }

    @Test("a service that is stopped at once has completed every task once and ends without an error")
    func stopped() async throws {
        try await confirmation("colors", expectedCount: 1) { created in
            try await confirmation("painters", expectedCount: 1) { hired in
                let service = PaletteService(
                    colors: ColorsDouble(created: { _, _ in created() }),
                    employees: EmployeesDouble(saved: { _ in hired() }),
                    pause: { throw CancellationError() })
                try await service.run()
            }
        }
    }

    @Test("the service repeats its work until it is canceled")
    func rounds() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let service = PaletteService(
            colors: ColorsDouble(created: { _, _ in continuation.yield() }), employees: EmployeesDouble(),
            pause: { await Task.yield() })
        let work = Task { try await service.run() }
        var created = 0
        for await _ in stream.prefix(3) { created += 1 }
        work.cancel()
        try await work.value
        #expect(created == 3)
    }

    struct Broken: Error {}

    @Test("a failing repository ends the service with its error")
    func failure() async throws {
        let service = PaletteService(
            colors: ColorsDouble(created: { _, _ in throw Broken() }), employees: EmployeesDouble())
        await #expect(throws: Broken.self) { try await service.run() }
    }
}
