import Foundation
import StrataTestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// A trait for tests with more rows than a debug build processes in a reasonable time.
    static var releaseTool: Self {
        .enabled(if: Tool.release != nil, "STRATA_RELEASE_TOOL names no release build; make check does")
    }

    /// A trait for tests of the tool's memory, which a sanitizer increases.
    static var measuresMemory: Self {
        .enabled(
            if: Tool.release != nil || !Machine.hasSanitizer,
            "a sanitizer takes memory of its own, and STRATA_RELEASE_TOOL names no tool without one")
    }

    /// A trait for tests that need another program.
    static func needs(_ program: String) -> Self {
        .enabled(if: Machine.has(program), "\(program) is not installed")
    }

    /// A trait for tests that need a full disk.
    static var needsSmallDisk: Self {
        .enabled(if: SmallDisk.isAllowed, "this machine lets no user mount a file system of its own (unshare -rm)")
    }
}

/// A small file system of a test that is mounted in a folder as `disk`.
enum SmallDisk {
    /// A Boolean value that indicates whether the machine permits the mount; determined once.
    static let isAllowed: Bool = {
        let result = try? run(kilobytes: 64, "exit 0", in: TemporaryFolder())
        return result?.status == 0
    }()

    /// Runs a shell line with the disk mounted, in which `strata` is the debug build with the reference model.
    static func run(kilobytes: Int, _ line: String, in folder: TemporaryFolder) throws -> Tool.Result {
        let script =
            Tool.reference.shellFunction + "mkdir -p disk; "
            + "mount -t tmpfs -o size=\(kilobytes)k none disk || exit 99; \(line)"
        return try Tool(path: "/usr/bin/env").run(["unshare", "-rm", "bash", "-c", script], in: folder)
    }
}
