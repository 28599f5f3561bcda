# Reads .ci/layers.txt and Swift files, and prints a line for each file that imports, and each type that is used, against it.
#
# Usage: awk -f layering.awk LAYERS LIST; LIST names the files, one a line, sorted.
#
# One folder uses another where its code mentions a type that is declared in that folder alone, at the top level of a file. A
# mention in a comment or in the text of a literal is none, one inside an interpolation is.

# MARK: The table

FNR == NR && (/^#/ || /^[ \t]*$/) { next }
FNR == NR && /^\[.*\]$/ { section = $0; next }
FNR == NR && section == "[imports]" { mayImport[layers[++layerCount] = before($0, ": ")] = after($0, ": "); next }
FNR == NR && section == "[order]" { readOrder(before($0, ": "), after($0, ": ")); next }
FNR == NR && section == "[like-named]" { likeNamed[++likeNamedCount] = before($0, ": "); isLikeNamed[before($0, ": ")] = 1; next }
FNR == NR { print FILENAME ":" FNR ": stands in no section"; next }

function before(text, separator) { return index(text, separator) ? substr(text, 1, index(text, separator) - 1) : text }
function after(text, separator) {
    return index(text, separator) ? substr(text, index(text, separator) + length(separator)) : ""
}
function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# "Bytes < CSV, JSON": what is left of a < may be used by what is right of it.
function readOrder(folder, text,    ranks, names, i, j, n, name) {
    if (folder in order) {
        print folder ": its order is given twice"
        return
    }
    order[folder] = text
    n = split(text, ranks, "<")
    for (i = 1; i <= n; i++) {
        split(ranks[i], names, ",")
        for (j = 1; j in names; j++) {
            name = trimmed(names[j])
            if ((folder, name) in rank) {
                print folder ": its order names " name " twice"
                continue
            }
            rank[folder, name] = i
            ordered[++orderedCount] = folder SUBSEP name
        }
    }
}

# MARK: The files

{
    files[++fileCount] = $0
    place($0)
    startCode()
    for (lineNumber = 1; (getline line < $0) > 0; lineNumber++) read($0, line)
    close($0)
}

# The folders that a file is in, and what it belongs to in each: one of its folders, or "." for files beside them.
function place(file,    parts, n, i, folder) {
    n = split(file, parts, "/")
    folder = parts[1] "/" parts[2]
    for (i = 3; i <= n; i++) {
        level[file, i - 2] = folder
        child[file, i - 2] = i < n ? parts[i] : "."
        isThere[folder, child[file, i - 2]] = 1
        if (i < n) hasFolders[folder] = 1
        folder = folder "/" parts[i]
    }
    levelCount[file] = n - 2
}

function read(file, line,    code, words, n, i) {
    code = codeOf(line)
    if (code ~ /import[ \t]/) readImport(file, code)
    if (code ~ /^[a-z@]/) readDeclaration(file, code)
    gsub(/[^A-Za-z0-9_]+/, " ", code)
    n = split(code, words, " ")
    for (i = 1; i <= n; i++) {
        if (words[i] !~ /^[A-Z]/ || (file, words[i]) in mentioned) continue
        mentioned[file, words[i]] = 1
        mention[++mentionCount] = words[i]
        mentionFile[mentionCount] = file
        mentionLine[mentionCount] = lineNumber
    }
}

# Attributes, an access level and a kind may stand before the module's name.
function readImport(file, code,    layer, module) {
    code = withoutAttributes(trimmed(code))
    sub(/^(public|package|internal|fileprivate|private)[ \t]+/, "", code)
    if (!sub(/^import[ \t]+/, "", code)) return
    sub(/^(struct|class|enum|protocol|func|var|let|typealias)[ \t]+/, "", code)
    match(code, /^[A-Za-z0-9_]+/)
    module = substr(code, 1, RLENGTH)
    layer = layerOf(file)
    if (layer != "" && !index(" " mayImport[layer] " ", " " module " "))
        print file ":" lineNumber ": " layer " must not import " module " (it may import " mayImport[layer] ")"
}

function withoutAttributes(code) {
    while (sub(/^@[A-Za-z_]+(\([^)]*\))?[ \t]+/, "", code)) continue
    return code
}

# The innermost folder of the file that the table of imports has.
function layerOf(file,    folder) {
    folder = file
    while (sub("/[^/]*$", "", folder)) if (folder in mayImport) return folder
    return ""
}

# A type at the top level; a private one is its file's own.
function readDeclaration(file, code,    name, i, key) {
    code = withoutAttributes(code)
    while (sub(/^(public|package|internal|open|final|indirect|nonisolated|distributed)[ \t]+/, "", code)) continue
    if (!match(code, /^(struct|class|enum|protocol|actor|typealias)[ \t]+[A-Z][A-Za-z0-9_]*/)) return
    name = substr(code, 1, RLENGTH)
    sub(/^[a-z]+[ \t]+/, "", name)
    for (i = 1; i <= levelCount[file]; i++) {
        key = level[file, i] SUBSEP name
        if (!(key in home)) home[key] = child[file, i]
        else if (home[key] != child[file, i]) home[key] = ""
    }
}

# MARK: Code without comments and literals

# Literals and interpolations are in each other: `mode` has what is open, from the outside in.
function startCode() {
    depth = 0
    mode[0] = "code"
    isComment = 0
}
function open(what) {
    mode[++depth] = what
    parentheses[depth] = 0
}

function codeOf(line,    code, token) {
    if (depth == 0 && !isComment && line !~ /"|\/\/|\/\*/) return line
    code = ""
    while (line != "") {
        if (isComment) {
            if (!match(line, /\*\//)) return code
            isComment = 0
        } else if (mode[depth] == "code") {
            if (!match(line, /"""|"|\/\/|\/\*|[()]/)) return code line
            code = code substr(line, 1, RSTART - 1)
        } else if (!match(line, mode[depth] == "text" ? "\\\\.|\"" : "\\\\.|\"\"\"")) {
            return code
        }
        token = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (token == "*/") continue
        if (mode[depth] != "code") {
            if (token == "\\(") open("code")
            else if (token !~ /^\\/) depth--
            code = code " "
        } else if (token == "//") {
            return code
        } else if (token == "/*") {
            isComment = 1
        } else if (token ~ /"/) {
            open(token == "\"" ? "text" : "lines")
        } else if (token == ")" && depth > 0 && parentheses[depth]-- == 0) {
            depth--
            code = code " "
        } else {
            if (token == "(") parentheses[depth]++
            code = code token
        }
    }
    return code
}

# MARK: What is wrong

END {
    for (i = 1; i <= fileCount; i++) {
        layer = layerOf(files[i])
        isLayer[layer] = 1
        if (layer == "") print files[i] ": no folder of it is in the table of imports"
        findUnordered(files[i])
    }
    for (i = 1; i <= layerCount; i++)
        if (!(layers[i] in isLayer)) print layers[i] ": in the table of imports, and not there"
    for (i = 1; i <= orderedCount; i++) findMissing(ordered[i])
    for (i = 1; i <= mentionCount; i++) findUse(mentionFile[i], mentionLine[i], mention[i])
    for (i = 1; i <= likeNamedCount; i++)
        if (!(likeNamed[i] in isMet)) print likeNamed[i] ": is listed as like-named, and is not met"
    if (likeNamedCount > 5) print "more than five words are listed as like-named; give types other names"
}

function called(folder, name) { return name == "." ? "the files of " folder : folder "/" name }

function findUnordered(file,    i, folder, name) {
    for (i = 1; i <= levelCount[file]; i++) {
        folder = level[file, i]
        name = child[file, i]
        if (!(folder in hasFolders) || (folder, name) in rank || (folder, name) in isReported) continue
        isReported[folder, name] = 1
        if (folder in order) print called(folder, name) ": not in the order of " folder ": " order[folder]
        else if (!(folder in isReported)) print folder ": has folders, and nothing says their order"
        isReported[folder] = 1
    }
}

function findMissing(key,    parts) {
    split(key, parts, SUBSEP)
    if (!(key in isThere)) print called(parts[1], parts[2]) ": in the order of " parts[1] ", and not there"
}

function findUse(file, line, word,    i, folder, from, to) {
    for (i = 1; i <= levelCount[file]; i++) {
        folder = level[file, i]
        from = child[file, i]
        to = home[folder, word]
        if (to == "" || to == from || !((folder, from) in rank) || !((folder, to) in rank)) continue
        if (rank[folder, to] < rank[folder, from]) continue
        if ((folder "/" from " " word) in isLikeNamed) {
            isMet[folder "/" from " " word] = 1
            continue
        }
        print file ":" line ": " called(folder, from) " must not use " word " of " called(folder, to) \
            " (the order of " folder " is " order[folder] ")"
    }
}
