import Foundation

/// The system calls and limits of a store in one file; tests replace them to simulate full disks and killed processes.
package struct AtomicEnvironment: Sendable {
    /// A step of writing the file, after which tests can interrupt the write.
    package enum Step: Sendable, CaseIterable {
        /// The new file exists and is empty.
        case created
        /// A part of the new file is written.
        case writing
        /// The new file is completely written.
        case written
        /// The disk has confirmed that it has stored the new file.
        case synchronized
        /// The new file has replaced the old one.
        case renamed
    }

    /// The default maximum size of a store's file: 256 MiB.
    ///
    /// The whole store is in memory, and every save writes the whole file.
    package static let maximumByteCount = 256 << 20

    /// The maximum size in bytes of a file that is read or written.
    package var maximumByteCount = Self.maximumByteCount
    /// A closure with the parameters and the result of `write(2)`.
    package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { Foundation.write($0, $1, $2) }
    /// A closure that is called after each step of writing the file.
    package var step: @Sendable (Step) -> Void = { _ in }

    /// Creates an environment with the system's own calls and the default limits.
    package init() {}
}
