public import StrataDomain

/// Keeps a palette fresh and its painters paid, until its task is cancelled.
///
/// It is handed repositories and knows no store: in the program they are Strata's, in its tests they are structs.
public struct PaletteService: Sendable {
    /// The most colours that the palette keeps.
    public static let size = 100

    let colors: any ColorRepository
    let employees: any EmployeeRepository
    let pause: @Sendable () async throws -> Void

    /// A service over repositories.
    ///
    /// - Parameters:
    ///   - colors: The palette.
    ///   - employees: Its painters.
    ///   - pause: Waits between two rounds, and so bounds the rate; it throws when the task is cancelled.
    public init(
        colors: any ColorRepository,
        employees: any EmployeeRepository,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(50)) }
    ) {
        self.colors = colors
        self.employees = employees
        self.pause = pause
    }

    /// Runs the service's tasks side by side until the surrounding task is cancelled, or one of them fails.
    ///
    /// Every task finishes the round that it is in, and does at least one.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await rounds { try await mix() } }
            group.addTask { try await rounds { try await trim() } }
            group.addTask { try await rounds { try await pay() } }
            // Not waitForAll, which lets the others go on for ever where one failed.
            while try await group.next() != nil {}
        }
    }

    private func rounds(_ round: @escaping @Sendable () async throws -> Void) async throws {
        repeat {
            // In a task of its own, which nobody cancels: a round that has begun is finished.
            try await Task { try await round() }.value
            do { try await pause() } catch is CancellationError { return }
        } while !Task.isCancelled
    }
}
