extension CompletionScript {
    /// The script for bash: a function that returns candidates for the words before the cursor.
    ///
    /// If the function returns no candidates, bash completes files unless this is turned off. Bash's own completion
    /// quotes file names correctly.
    var bash: [String] {
        let name = program.name
        return ["# bash completion for \(name); made by '\(name) completions bash'."] + bashNames + [
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

    /// Functions that ask the program for names of the command line's model; they print nothing if there is no model.
    private var bashNames: [String] {
        let name = program.name
        return [
            "# The words behind --model, --store and --entity, at any position; bash splits --option=value.",
            "_\(name)_names() {",
            "    local model='' store='' entity='' index value",
            "    for ((index = 1; index < COMP_CWORD; index++)); do",
            "        value=${COMP_WORDS[index+1]}",
            "        [[ $value == = ]] && value=${COMP_WORDS[index+2]}",
            "        case ${COMP_WORDS[index]} in",
            "            --model) model=$value ;;",
            "            --store) store=$value ;;",
            "            --entity) entity=$value ;;",
            "        esac",
            "    done",
            "    # Removes quotes and expands a tilde, as the shell does. A store that does not exist has no names.",
            "    local named=$model; model=${model:-$store}",
            "    model=${model#[\\\"\\']}; model=${model%[\\\"\\']}; model=${model//\\\\ / }; model=${model/#\\~/$HOME}",
            "    [[ -n $named || -e $model ]] || return",
            "    if [[ $1 == properties ]]; then",
            "        [[ -n $entity ]] && \(name) model names \"$model\" --entity \"$entity\" 2>/dev/null",
            "    else",
            "        \(name) model names \"$model\" 2>/dev/null",
            "    fi",
            "}",
            "# Names in a list or an expression, and the words in $1: the text before the last one stays.",
            "_\(name)_properties() {",
            "    # bash itself keeps an open quote.",
            "    local text=${current#[\\\"\\']}",
            "    local last=${text##*[ ,\\(]}",
            "    local head=${text%\"$last\"}",
            "    COMPREPLY=($(compgen -W \"$(_\(name)_names properties) $1\" -- \"$last\"))",
            "    COMPREPLY=(\"${COMPREPLY[@]/#/$head}\")",
            "    compopt +o default -o nospace 2>/dev/null",
            "}",
        ]
    }

    /// Returns the branch for a command: the values of the option before the cursor, its options, or its arguments.
    private func bashBranch(_ command: CommandSpecification) -> [String] {
        var lines = ["        \(command.name))", "            case $previous in"]
        for option in command.options {
            guard let candidates = candidates(option) else { continue }
            let pattern = option.forms.joined(separator: " | ")
            switch candidates {
            case .words(let words): lines.append("            \(pattern)) words='\(words.joined(separator: " "))' ;;")
            case .files: lines.append("            \(pattern)) return ;;")
            case .entities: lines.append("            \(pattern)) words=$(_\(program.name)_names) ;;")
            case .properties: lines.append("            \(pattern)) _\(program.name)_properties; return ;;")
            case .expression:
                lines.append("            \(pattern)) _\(program.name)_properties '\(functions)'; return ;;")
            case .anything: lines.append("            \(pattern)) compopt +o default 2>/dev/null; return ;;")
            }
        }
        let options = (command.options.flatMap(\.forms) + ["-h", "--help"]).joined(separator: " ")
        let arguments =
            switch command.positionals.last.map(candidates) {
            case .words(let words): "words='\(words.joined(separator: " "))'"
            case .files: "return"
            case .entities: "words=$(_\(program.name)_names)"
            case .properties: "_\(program.name)_properties; return"
            case .expression: "_\(program.name)_properties '\(functions)'; return"
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
