import Foundation
import StrataTestSupport
import Testing

/// Tests of `.ci/install.sh`, which `make install` runs, with the release build if there is one.
@Suite("Installation")
struct InstallationTests {
    private static let script = Checkout.root.appendingPathComponent(".ci/install.sh").path
    private static let tool = ProcessInfo.processInfo.environment["STRATA_RELEASE_TOOL"] ?? Tool.debug.path

    private static let files = [
        "bin/strata", "share/bash-completion/completions/strata", "share/fish/vendor_completions.d/strata.fish",
        "share/man/man1/strata.1", "share/zsh/site-functions/_strata",
    ]

    private let folder = TemporaryFolder()

    private func install(_ arguments: String...) throws -> Tool.Result {
        try Tool(path: Self.script).run(arguments, in: folder)
    }

    private func found() throws -> [String] {
        let result = try Tool.debug.shell("cd 'a root' && find . -type f | sort", in: folder)
        return result.output.split(separator: "\n").map { String($0.dropFirst(2)) }
    }

    @Test("an installation copies the tool, its manual and its completions, and --remove deletes them")
    func places() throws {
        for _ in 1...2 {
            let result = try install(Self.tool, "a root")
            #expect(result.status == 0 && result.errors.isEmpty && result.output.isEmpty, "\(result.errors)")
            #expect(try found() == Self.files)
        }
        for file in Self.files {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a root/\(file)"))
            #expect(attributes[.posixPermissions] as? Int == (file == "bin/strata" ? 0o755 : 0o644))
        }
        let installed = Tool(path: folder.path("a root/bin/strata"))
        #expect(try installed.run(["--version"], in: folder).output == "strata 0.1.0\n")
        #expect(try folder.text("a root/share/man/man1/strata.1") == installed.run(["manual"], in: folder).output)
        for (shell, file) in [("bash", Self.files[1]), ("fish", Self.files[2]), ("zsh", Self.files[4])] {
            #expect(try folder.text("a root/\(file)") == installed.run(["completions", shell], in: folder).output)
        }
        try folder.write("", to: "a root/bin/other")
        try install("--remove", "a root").expect(status: 0)
        #expect(try found() == ["bin/other"])
    }

    @Test("a tool that cannot run is not installed")
    func failure() throws {
        #expect(try install("/bin/false", "a root").status != 0)
        #expect(try folder.files.isEmpty)
    }
}
