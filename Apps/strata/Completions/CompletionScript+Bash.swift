extension CompletionScript {
    /// For bash: a function that answers by the words before the cursor.
    ///
    /// Where it gives no answer bash completes files, unless told not to; its own completion knows how to quote them.
    var bash: [String] {
        let name = program.name
        return [
            "# bash completion for \(name); made by '\(name) completions bash'.",
            "_\(name)() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
            "    local command='' word index words=''",
            "    COMPREPLY=()",
            "    # bash takes --option=value apart.",
            "    if [[ $current == = ]]; then",
            "        current=''",
            "    elif [[ $previous == = ]] && ((COMP_CWORD >= 2)); then",
            "        previous=${COMP_WORDS[COMP_CWORD-2]}",
            "    fi",
            "    for ((index = 1; index < COMP_CWORD; index++)); do",
            "        word=${COMP_WORDS[index]}",
            "        # Behind -- there are only files.",
            "        [[ $word == -- ]] && return",
            "        [[ -z $command && $word != -* ]] && command=$word",
            "    done",
            "    if [[ -z $command ]]; then",
            "        words='\(commands.map(\.name).joined(separator: " ")) -h --help -V --version'",
            "    else",
            "        case $command in",
        ] + commands.flatMap(bashBranch) + [
            "        esac",
            "    fi",
            "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
            "}",
            "complete -o bashdefault -o default -F _\(name) \(name)",
        ]
    }

    /// The branch for a command: the values of the option before the cursor, its options, or its arguments.
    private func bashBranch(_ command: CommandSpecification) -> [String] {
        var lines = ["        \(command.name))", "            case $previous in"]
        for option in command.options {
            guard let candidates = candidates(option) else { continue }
            let pattern = option.forms.joined(separator: " | ")
            switch candidates {
            case .words(let words): lines.append("            \(pattern)) words='\(words.joined(separator: " "))' ;;")
            case .files: lines.append("            \(pattern)) return ;;")
            case .anything: lines.append("            \(pattern)) compopt +o default 2>/dev/null; return ;;")
            }
        }
        let options = (command.options.flatMap(\.forms) + ["-h", "--help"]).joined(separator: " ")
        let arguments =
            switch command.positionals.last.map(candidates) {
            case .words(let words): "words='\(words.joined(separator: " "))'"
            case .files: "return"
            case .anything, nil: "words='\(options)'"
            }
        return lines + [
            "            *)",
            "                if [[ $current == -* ]]; then words='\(options)'",
            "                else \(arguments)",
            "                fi ;;",
            "            esac ;;",
        ]
    }
}
