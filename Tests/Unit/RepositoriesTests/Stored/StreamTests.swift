import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import Testing

@Suite("Streams of repositories over every kind of store")
struct StreamTests {
    /// More than one batch of the stream, so that reading continues after the loop has begun.
    private static let count = 600

    private func fill(_ stack: StoredRepositories) throws {
        try stack.container.backgroundContext.performAndWait { context in
            for _ in 0..<Self.count {
                _ = try context.insert(Color.self) {
                    Color(id: $0, hex: HexColor(red: 0, green: 0, blue: 0), dateCreated: .distantPast)
                }
            }
            try context.save()
        }
    }

    private func numbers(_ stream: any AsyncSequence<Color, any Error>) async throws -> [Int64] {
        var numbers: [Int64] = []
        for try await color in stream { numbers.append(color.id.rawValue) }
        return numbers
    }

    @Test("a stream returns every record once and in order", arguments: StoreKind.allCases)
    func complete(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try fill(stack)
            #expect(try await numbers(stack.colors.stream()) == Array(1...Int64(Self.count)))
        }
    }

    @Test("a store can be written and closed after a stream is abandoned", arguments: StoreKind.allCases)
    func abandoned(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try fill(stack)
            var seen = 0
            for try await _ in stack.colors.stream() {
                seen += 1
                if seen == 3 { break }
            }
            #expect(seen == 3)
            #expect(try await stack.colors.deleteAll() == Self.count)
        }
    }

    @Test("two concurrent streams each return all records in their own order", arguments: StoreKind.allCases)
    func two(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try fill(stack)
            let backwards = Query<Color>(sort: [.descending(\.id)])
            async let up = numbers(stack.colors.stream())
            async let down = numbers(stack.colors.stream(backwards))
            let both = try await (up, down)
            #expect(both.0 == Array(1...Int64(Self.count)))
            #expect(both.1 == both.0.reversed())
        }
    }

    @Test(
        "a stream returns the records as they were at its beginning, despite concurrent writes",
        arguments: StoreKind.allCases)
    func oneState(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try fill(stack)
            var numbers: [Int64] = []
            for try await color in stack.colors.stream() {
                if numbers.isEmpty {
                    try await stack.colors.delete(Color.ID(Self.count))
                    try await stack.colors.create(hex: color.hex)
                    try await stack.colors.update(Color.ID(Self.count - 1)) { $0.name = "changed" }
                }
                numbers.append(color.id.rawValue)
                #expect(color.name == nil)
            }
            #expect(numbers == Array(1...Int64(Self.count)))
            #expect(try await stack.colors.count() == Self.count)
        }
    }

    @Test("a stream of a closed store throws an error", arguments: StoreKind.allCases)
    func closed(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try stack.container.close()
            let error = await #expect(throws: PersistenceError.self) { try await numbers(stack.colors.stream()) }
            #expect(error?.code == .closed)
        }
    }
}
