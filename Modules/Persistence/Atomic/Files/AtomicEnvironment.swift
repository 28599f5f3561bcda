import Foundation

/// What a whole-file store asks of the system, and how much it takes: another one in tests, which fill disks and end processes.
package struct AtomicEnvironment: Sendable {
    /// A moment of a write.
    package enum Step: Sendable, CaseIterable {
        /// The new file is there, and empty.
        case created
        /// A part of it is written.
        case writing
        /// All of it is written.
        case written
        /// The disk has it.
        case synchronized
        /// It stands where the old one stood.
        case renamed
    }

    /// The most bytes of a store: 256 MiB.
    ///
    /// All of it is in memory, and every save writes all of it.
    package static let maximumByteCount = 256 << 20

    /// The most bytes of a store, for reading and for writing.
    package var maximumByteCount = Self.maximumByteCount
    /// Writes bytes to a file, as the system's call does.
    package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { Foundation.write($0, $1, $2) }
    /// Told how far a write is.
    package var step: @Sendable (Step) -> Void = { _ in }

    /// The system as it is.
    package init() {}
}
