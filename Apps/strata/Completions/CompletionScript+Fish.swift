extension CompletionScript {
    /// The script for fish: one `complete` command for each candidate.
    var fish: [String] {
        let name = program.name
        var lines =
            [
                "# fish completion for \(name); made by '\(name) completions fish'."
            ] + fishNames + [
                "complete -c \(name) -f",
                "complete -c \(name) -n __fish_use_subcommand -s h -l help -d 'Show help'",
                "complete -c \(name) -n __fish_use_subcommand -s V -l version -d 'Show the version'",
            ]
        for command in commands {
            let summary = Self.fishQuoted(Self.short(command.summary))
            lines.append("complete -c \(name) -n __fish_use_subcommand -a \(command.name) -d \(summary)")
        }
        for command in commands {
            let head = "complete -c \(name) -n '__fish_seen_subcommand_from \(command.name)'"
            lines += command.options.map { "\(head) \(fishOption($0))" }
            lines.append("\(head) -s h -l help -d 'Show this help'")
            switch command.positionals.last.map(candidates) {
            case .words(let words): lines.append("\(head) -a \(Self.fishQuoted(words.joined(separator: " ")))")
            case .files: lines.append("\(head) -F")
            case .entities: lines.append("\(head) -a '(__\(name)_names)'")
            case .properties: lines.append("\(head) -a '(__fish_complete_list , __\(name)_properties)'")
            case .expression: lines.append("\(head) -a '\(fishExpression)'")
            case .anything, nil: break
            }
        }
        return lines
    }

    /// Functions that ask the program for names of the command line's model; they print nothing if there is no model.
    private var fishNames: [String] {
        let name = program.name
        return [
            "function __\(name)_value",
            "    set -l words (commandline -opc)",
            "    for index in (seq (count $words))",
            "        if string match -q -- \"$argv[1]=*\" $words[$index]",
            "            string replace -- \"$argv[1]=\" '' $words[$index]",
            "        else if test \"$words[$index]\" = $argv[1]; and test $index -lt (count $words)",
            "            echo $words[(math $index + 1)]",
            "        end",
            "    end | tail -n 1",
            "end",
            "function __\(name)_model",
            "    set -l model (string replace -r '^~' $HOME -- (__\(name)_value --model))",
            "    set -l store (string replace -r '^~' $HOME -- (__\(name)_value --store))",
            "    if test -n \"$model\"",
            "        echo $model",
            "    else if test -e \"$store\"",
            "        echo $store",
            "    end",
            "end",
            "function __\(name)_names",
            "    set -l model (__\(name)_model)",
            "    test -n \"$model\"; and \(name) model names $model 2>/dev/null",
            "end",
            "function __\(name)_expression",
            "    __\(name)_properties",
            "    string split ' ' '\(functions)'",
            "end",
            "function __\(name)_properties",
            "    set -l entity (__\(name)_value --entity)",
            "    set -l model (__\(name)_model)",
            "    test -n \"$entity\" -a -n \"$model\"; and \(name) model names $model --entity $entity 2>/dev/null",
            "end",
        ]
    }

    private var fishExpression: String {
        "(__fish_complete_list , __\(program.name)_expression)"
    }

    private func fishOption(_ option: OptionSpecification) -> String {
        let letter = option.letter.map { "-s \($0) " } ?? ""
        let value =
            switch candidates(option) {
            case .words(let words): " -x -a \(Self.fishQuoted(words.joined(separator: " ")))"
            case .files: " -r -F"
            case .entities: " -x -a '(__\(program.name)_names)'"
            case .properties: " -x -a '(__fish_complete_list , __\(program.name)_properties)'"
            case .expression: " -x -a '\(fishExpression)'"
            case .anything: " -x"
            case nil: ""
            }
        return "\(letter)-l \(option.name)\(value) -d \(Self.fishQuoted(Self.short(option.help)))"
    }

    /// Returns a word in fish's single quotes, in which only the backslash and the quote are escaped.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "'"
    }
}
