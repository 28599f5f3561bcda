extension CompletionScript {
    /// The script for zsh: a function that calls `_arguments`, to be stored in a folder of `fpath` or evaluated.
    var zsh: [String] {
        let name = program.name
        return [
            "#compdef \(name)",
            "# zsh completion for \(name); made by '\(name) completions zsh'.",
        ] + zshNames + [
            "_\(name)() {",
            "    local curcontext=$curcontext state line",
            "    local -a commands",
            "    typeset -A opt_args",
            "    commands=(",
        ] + commands.map { "        \(Self.quoted("\($0.name):\(Self.zshText(Self.short($0.summary)))"))" } + [
            "    )",
            "    _arguments -C '(- *)'{-h,--help}'[Show help]' '(- *)'{-V,--version}'[Show the version]' \\",
            "        '1: :->command' '*:: :->arguments'",
            "    case $state in",
            "    command) _describe -t commands command commands ;;",
            "    arguments)",
            "        case $words[1] in",
        ] + commands.flatMap(zshBranch) + [
            "        esac ;;",
            "    esac",
            "}",
            "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then",
            "    _\(name) \"$@\"",
            "else",
            "    compdef _\(name) \(name)",
            "fi",
        ]
    }

    /// Functions that ask the program for names of the command line's model; they print nothing if there is no model.
    private var zshNames: [String] {
        let name = program.name
        return [
            "_\(name)_value() {",
            "    local index value=''",
            "    for ((index = 1; index < CURRENT; index++)); do",
            "        if [[ $words[index] == $1 ]]; then value=$words[index+1]",
            "        elif [[ $words[index] == $1=* ]]; then value=${words[index]#*=}",
            "        fi",
            "    done",
            "    print -r -- ${(Q)value}",
            "}",
            "_\(name)_model() {",
            "    local model=$(_\(name)_value --model) store=$(_\(name)_value --store)",
            "    if [[ -n $model ]]; then print -r -- ${model/#\\~/$HOME}",
            "    elif [[ -e ${store/#\\~/$HOME} ]]; then print -r -- ${store/#\\~/$HOME}",
            "    fi",
            "}",
            "_\(name)_entities() {",
            "    local model=$(_\(name)_model)",
            "    [[ -n $model ]] || return 1",
            "    compadd -- ${(f)\"$(\(name) model names \"$model\" 2>/dev/null)\"}",
            "}",
            "_\(name)_expression() {",
            "    compset -P '*[ ,(]'",
            "    compadd -qS '(' -- \(functions)",
            "    _\(name)_properties",
            "}",
            "_\(name)_properties() {",
            "    local entity=$(_\(name)_value --entity) model=$(_\(name)_model)",
            "    [[ -n $entity && -n $model ]] || return 1",
            "    compset -P '*[ ,(]'",
            "    compadd -qS '' -- ${(f)\"$(\(name) model names \"$model\" --entity \"$entity\" 2>/dev/null)\"}",
            "}",
        ]
    }

    private func zshBranch(_ command: CommandSpecification) -> [String] {
        var specifications = command.options.map(zshSpecification)
        specifications.append("'(- *)'{-h,--help}'[Show this help]'")
        specifications += command.positionals.map { positional in
            let action = zshAction(candidates(positional), positional.placeholder)
            return Self.quoted((positional.isRepeatable ? "*" : "") + action)
        }
        let separator = " \\\n            "
        return [
            "        \(command.name)) _arguments -S" + separator + specifications.joined(separator: separator) + " ;;"
        ]
    }

    /// Returns a specification such as `'(-o --output)'{-o+,--output=}'[Where to write]:FILE:_files'`.
    private func zshSpecification(_ option: OptionSpecification) -> String {
        let text = "[\(Self.zshText(Self.short(option.help)))]"
        let action = candidates(option).map { zshAction($0, option.placeholder ?? "") } ?? ""
        let isRepeatable = option.isRepeatable && !option.isFlag
        let name = "--\(option.name)" + (option.isFlag ? "" : "=")
        guard let letter = option.letter else {
            return Self.quoted((isRepeatable ? "*" : "") + name + text + action)
        }
        return "'(-\(letter) --\(option.name))'{-\(letter),\(name)}" + Self.quoted(text + action)
    }

    private func zshAction(_ candidates: Candidates, _ placeholder: String) -> String {
        let head = ":\(Self.zshText(placeholder)):"
        return switch candidates {
        case .words(let words): head + "(\(words.joined(separator: " ")))"
        case .files: head + "_files"
        case .entities: head + "_\(program.name)_entities"
        case .properties: head + "_\(program.name)_properties"
        case .expression: head + "_\(program.name)_expression"
        case .anything: head
        }
    }

    /// Returns a text in which the special characters of `_arguments` are escaped.
    private static func zshText(_ text: String) -> String {
        text.reduce(into: "") { $0 += ["[", "]", ":", "\\"].contains($1) ? "\\\($1)" : "\($1)" }
    }

    /// Returns a word in single quotes for zsh and bash.
    static func quoted(_ text: String) -> String {
        "'" + text.quotesReplaced(by: "'\\''") + "'"
    }
}
