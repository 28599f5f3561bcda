/// The text of a GitHub Actions workflow that checks a directory of fixtures.
struct GuardWorkflow {
    /// The location of the action: a repository and, after `@`, a tag, a branch or a commit.
    let action: String
    let directory: String
    let description: String?
    let model: String?

    /// Creates a workflow, or returns `nil` if the action is not written as `OWNER/REPOSITORY@REF`.
    init?(_ action: String, directory: String, description: String?, model: String?) {
        let sides = action.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0].split(separator: "/", omittingEmptySubsequences: false).count == 2,
            sides.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("/") && !$0.hasSuffix("/") }),
            action.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: "/"), UInt8(ascii: "@"):
                    true
                default: false
                }
            })
        else { return nil }
        self.action = action
        self.directory = directory
        self.description = description
        self.model = model
    }

    /// The text of the workflow file.
    var text: String {
        let parts = action.split(separator: "@")
        var lines = [
            "# Fails where the committed fixtures are not what their manifest makes. Made by strata generate --workflow.",
            "name: Fixtures",
            "on: [push, pull_request]",
            "permissions:",
            "  contents: read",
            "jobs:",
            "  fixtures:",
            "    runs-on: ubuntu-latest",
            "    container: swift:6.2",
            "    steps:",
            "      - run: apt-get update && apt-get install --yes --no-install-recommends make libsqlite3-dev",
            "      - uses: actions/checkout@v4",
            "      - uses: \(parts[0])/.github/actions/fixtures@\(parts[1])",
            "        with:",
            "          directory: \(Self.quoted(directory))",
            "          check: \"true\"",
        ]
        if let description { lines.append("          description: \(Self.quoted(description))") }
        if let model { lines.append("          model: \(Self.quoted(model))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a text in YAML's single quotes, in which only the quote is a special character.
    private static func quoted(_ text: String) -> String {
        "'" + text.quotesReplaced(by: "''") + "'"
    }
}
