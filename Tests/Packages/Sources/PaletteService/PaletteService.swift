public import StrataDomain

/// A service that updates a palette and the salaries of its painters until its task is canceled.
///
/// The service depends on repositories and not on a store: the program passes those of Strata, and the tests pass
/// structs.
public struct PaletteService: Sendable {
    /// The maximum count of colors in the palette.
    public static let size = 100

    let colors: any ColorRepository
    let employees: any EmployeeRepository
    let pause: @Sendable () async throws -> Void

    /// Creates a service over repositories.
    ///
    /// - Parameters:
    ///   - colors: The palette.
    ///   - employees: Its painters.
    ///   - pause: Waits between two rounds and so limits the rate; throws when the task is canceled.
    public init(
        colors: any ColorRepository,
        employees: any EmployeeRepository,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(50)) }
    ) {
        self.colors = colors
        self.employees = employees
        self.pause = pause
    }

    /// Runs the service's tasks concurrently until the surrounding task is canceled or one of them fails.
    ///
    /// Every task completes its current round, and at least one round.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await rounds { try await mix() } }
            group.addTask { try await rounds { try await trim() } }
            group.addTask { try await rounds { try await pay() } }
            // The method waitForAll would not cancel the other tasks if one fails.
            while try await group.next() != nil {}
        }
    }

    private func rounds(_ round: @escaping @Sendable () async throws -> Void) async throws {
        repeat {
            // A separate task is not canceled, so a round that has begun is completed.
            try await Task { try await round() }.value
            do { try await pause() } catch is CancellationError { return }
        } while !Task.isCancelled
    }
}
