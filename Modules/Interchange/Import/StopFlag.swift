import Synchronization

/// A flag that stops a thread which waits for input.
///
/// Any thread may raise and read the flag. A raised flag stays raised.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    func raise() { flag.store(true, ordering: .releasing) }

    var isRaised: Bool { flag.load(ordering: .acquiring) }
}
