import StrataPersistence

/// The command `strata completions`, which prints a script that completes command lines in a shell.
enum CompletionsCommand: Command {
    private static let shells = CompletionScript.Shell.allCases.map(\.rawValue)

    static let specification = CommandSpecification(
        name: "completions",
        summary: "Print a script that completes command lines in bash, zsh or fish.",
        positionals: [
            PositionalSpecification(placeholder: "SHELL", help: "The shell: bash, zsh or fish.", values: .words(shells))
        ],
        examples: [
            "strata completions bash > ~/.local/share/bash-completion/completions/strata",
            "strata completions zsh > ~/.zfunc/_strata",
            "strata completions fish > ~/.config/fish/completions/strata.fish",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let word = try arguments.choice(arguments.positional(0) ?? "", of: "SHELL", among: shells)
        guard let shell = CompletionScript.Shell(rawValue: word) else { return }
        try Console.print(CompletionScript(program: arguments.program).text(for: shell))
    }
}
