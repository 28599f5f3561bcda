import Foundation
import StrataTestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// For what takes more rows than a debug build moves in a reasonable time.
    static var releaseTool: Self {
        .enabled(if: Tool.release != nil, "STRATA_RELEASE_TOOL names no release build; make check does")
    }

    /// For what the tool may take of memory, which it takes more of with a sanitizer in it.
    static var measuresMemory: Self {
        .enabled(
            if: Tool.release != nil || !Machine.hasSanitizer,
            "a sanitizer takes memory of its own, and STRATA_RELEASE_TOOL names no tool without one")
    }

    /// For what only another program can show.
    static func needs(_ program: String) -> Self {
        .enabled(if: Machine.has(program), "\(program) is not installed")
    }

    /// For what shows on a full disk.
    static var needsSmallDisk: Self {
        .enabled(if: SmallDisk.isAllowed, "this machine lets no user mount a file system of its own (unshare -rm)")
    }
}

/// A file system of a test's own that is soon full, mounted in a folder as `disk`.
enum SmallDisk {
    /// Whether the machine allows it; looked at once.
    static let isAllowed: Bool = {
        let result = try? run(kilobytes: 64, "exit 0", in: TemporaryFolder())
        return result?.status == 0
    }()

    /// Runs a line of the shell, in which `strata` is the debug build with the reference model, with the disk mounted.
    static func run(kilobytes: Int, _ line: String, in folder: TemporaryFolder) throws -> Tool.Result {
        let script =
            Tool.reference.shellFunction + "mkdir -p disk; "
            + "mount -t tmpfs -o size=\(kilobytes)k none disk || exit 99; \(line)"
        return try Tool(path: "/usr/bin/env").run(["unshare", "-rm", "bash", "-c", script], in: folder)
    }
}
