import Foundation
import StrataTestSupport
import Testing

@testable import strata

@Suite("Completion scripts")
struct CompletionsTests {
    private let folder = TemporaryFolder()

    /// Returns the words that bash offers for a line whose last word is incomplete; bash splits `--option=value` at the
    /// sign.
    private func bash(_ words: [String]) throws -> [String] {
        let list = words.map(CompletionScript.quoted).joined(separator: " ")
        let line =
            "source <(strata completions bash); COMP_WORDS=(strata \(list)); COMP_CWORD=\(words.count); _strata; "
            + "printf '%s\\n' \"${COMPREPLY[@]}\"; complete -p strata >&2"
        let result = try Tool.debug.shell(line, in: folder)
        result.expect(status: 0)
        #expect(result.errors == "complete -o bashdefault -o default -F _strata strata\n")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("the bash completion offers commands, options and the values that an option accepts")
    func bashWords() throws {
        #expect(try bash(["ex"]) == ["export"])
        #expect(try bash([""]) == Strata.program.commands.map(\.name) + ["help", "-h", "--help", "-V", "--version"])
        #expect(try bash(["import", "--on-c"]) == ["--on-conflict"])
        #expect(try bash(["import", "--on-conflict", ""]) == ["abort", "ignore", "replace", "update"])
        #expect(try bash(["import", "--on-conflict", "=", "u"]) == ["update"])
        #expect(try bash(["import", "--on-conflict", "="]) == ["abort", "ignore", "replace", "update"])
        #expect(try bash(["show", "--model", "reference", "--entity", ""]) == ["Color", "Boss", "Employee", "Item"])
        #expect(try bash(["export", "-"]).contains("-o"))
        #expect(try bash(["completions", ""]) == ["bash", "zsh", "fish"])
        #expect(try bash(["help", "imp"]) == ["import"])
    }

    /// Creates a model file and a store with that model.
    private func makeStore() throws {
        try folder.write(
            #"{"resources": [{"name": "people", "path": "people.csv", "schema": {"fields": [{"name": "full name"}, {"name": "age", "type": "integer"}]}}]}"#,
            to: "own model.json")
        try folder.write("full name,age\nAda,36\n", to: "people.csv")
        let made = try Tool.debug.run(
            ["import", "people.csv", "--model", "own model.json", "--store", "s.sqlite"], in: folder)
        made.expect(status: 0)
    }

    @Test("the bash completion offers the names in the model of the store or model file of the command line")
    func bashNames() throws {
        try makeStore()
        #expect(try bash(["show", "--store", "s.sqlite", "--entity", ""]) == ["People"])
        #expect(try bash(["show", "--store", "=", "s.sqlite", "--entity", "=", "P"]) == ["People"])
        #expect(try bash(["generate", "--model", "own model.json", "--entity", ""]) == ["People"])
        // A missing store or model has no names.
        #expect(try bash(["import", "x.csv", "--store", "new", "--entity", ""]).isEmpty)
        #expect(try bash(["export", "--store", "new", "--entity", "people", "--columns", ""]).isEmpty)
        #expect(try bash(["generate", "--entity", ""]).isEmpty)
        #expect(try bash(["import", "x.csv", "--model", "nothing.json", "--entity", ""]).isEmpty)
        let head = ["export", "--store", "s.sqlite", "--entity", "people"]
        #expect(try bash(head + ["--columns", ""]) == ["fullName", "age", "_row"])
        #expect(try bash(head + ["--columns", "age,f"]) == ["age,fullName"])
        #expect(try bash(head + ["--sort", "ag"]) == ["age"])
        #expect(try bash(["query"] + head.dropFirst() + ["--select", "'age, su"]) == ["age, sum"])
        #expect(try bash(["query"] + head.dropFirst() + ["--having", "'max(ag"]) == ["max(age"])
        #expect(try bash(["query", "data.csv", "--select", "cou"]) == ["count"])
    }

    @Test("the bash completion offers no words for file names, which bash completes itself, or for free text")
    func bashFiles() throws {
        try folder.write("", to: "data.csv")
        for words in [
            ["import", "da"], ["export", "--output", "da"], ["import", "--", "--da"], ["show", "--limit", "s"],
        ] {
            #expect(try bash(words).isEmpty, "\(words)")
        }
    }

    @Test("every shell has a completion script", arguments: CompletionScript.Shell.allCases)
    func script(shell: CompletionScript.Shell) throws {
        let script = try Tool.debug.run(["completions", shell.rawValue], in: folder)
        #expect(script.status == 0 && !script.output.isEmpty)
    }

    @Test("bash parses its completion script without an error")
    func bashSyntax() throws { try expectUnderstood(.bash) }

    @Test("zsh parses its completion script without an error", .needs("zsh"))
    func zshSyntax() throws { try expectUnderstood(.zsh) }

    @Test("fish parses its completion script without an error", .needs("fish"))
    func fishSyntax() throws { try expectUnderstood(.fish) }

    private func expectUnderstood(_ shell: CompletionScript.Shell) throws {
        let script = try Tool.debug.run(["completions", shell.rawValue], in: folder)
        let path = try #require(Machine.path(of: shell.rawValue))
        try folder.write(script.output, to: "script")
        let result = try Tool(path: path).run(["-n", "script"], in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("the fish completion offers the same words as the bash completion", .needs("fish"))
    func fish() throws {
        let path = try #require(Machine.path(of: "fish"))
        // The script calls the program, which prints the names.
        let program = "function strata; \(CompletionScript.quoted(Tool.debug.path)) $argv; end\n"
        try folder.write(program + (try Tool.debug.run(["completions", "fish"], in: folder).output), to: "script")
        func offered(_ line: String) throws -> [String] {
            let home = "HOME=\"$PWD\" XDG_CONFIG_HOME=\"$PWD\" \(path) --no-config -c"
            let result = try Tool.debug.shell(
                "\(home) 'source script; complete -C \(CompletionScript.quoted("\"\(line)\"").dropFirst().dropLast())'",
                in: folder)
            #expect(result.errors.isEmpty)
            return result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try offered("strata ex") == ["export"])
        #expect(try Set(offered("strata import --on-conflict ")) == ["abort", "ignore", "replace", "update"])
        #expect(try offered("strata show --entity ").isEmpty)
        #expect(try offered("strata export --entity people --columns ").isEmpty)
        #expect(try Set(offered("strata show --model reference --entity ")) == ["Color", "Boss", "Employee", "Item"])
        #expect(try offered("strata import --on-m").contains("--on-missing-reference"))
        try folder.write("", to: "data.csv")
        #expect(try offered("strata import dat") == ["data.csv"])
        #expect(try offered("strata completions z") == ["zsh"])
        try makeStore()
        #expect(try offered("strata show --store s.sqlite --entity ") == ["People"])
        #expect(
            try Set(offered("strata show --entity=people --store=s.sqlite --columns ")) == ["fullName", "age", "_row"])
        #expect(try offered("strata export --entity people --store s.sqlite --columns age,f") == ["age,fullName"])
        #expect(try Set(offered("strata query --entity people --store s.sqlite --select a")) == ["abs", "age", "avg"])
        #expect(try offered("strata query --entity people --store s.sqlite --select age,av") == ["age,avg"])
    }

    @Test(
        "zsh loads the completion function from the sourced script and from a folder of $fpath",
        .needs("zsh"))
    func zsh() throws {
        let path = try #require(Machine.path(of: "zsh"))
        try folder.write(try Tool.debug.run(["completions", "zsh"], in: folder).output, to: "_strata")
        let evaluated = "autoload -Uz compinit; compinit -u -D; source ./_strata; print $_comps[strata]"
        let found = "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[strata]"
        for script in [evaluated, found] {
            let result = try Tool(path: path).run(["-f", "-c", script], in: folder)
            #expect(result.output == "_strata\n" && result.errors.isEmpty, "\(result.errors)")
        }
    }

    @Test("an unsupported shell is rejected, and the error names the shell")
    func unknown() throws {
        let result = try Tool.debug.run(["completions", "fissh"], in: folder)
        result.expect(status: 64)
        #expect(result.errors.hasPrefix("strata: SHELL: \"fissh\" is not one of bash, zsh, fish; did you mean fish?\n"))
    }

    @Test("the completion of an option contains only the first sentence of its description")
    func short() {
        #expect(CompletionScript.short("One. Two.") == "One")
        #expect(CompletionScript.short("As in 1.5; fine.") == "As in 1.5; fine")
    }
}
