# Reads .ci/layers.txt and Swift files, and prints one line for each import and each use of a type that violates the
# layers.
#
# Usage: awk -f layering.awk LAYERS LIST    LIST contains the paths of the files, one per line, sorted
#
# A folder uses another folder if its code mentions a type that only the other folder declares, at the top level of a
# file. Mentions in comments and in the text of literals are ignored; mentions in interpolations count.

# MARK: The table

FNR == NR && (/^#/ || /^[ \t]*$/) { next }
FNR == NR && /^\[.*\]$/ { section = $0; next }
FNR == NR && section == "[imports]" { mayImport[layers[++layerCount] = before($0, ": ")] = after($0, ": "); next }
FNR == NR && section == "[order]" { readOrder(before($0, ": "), after($0, ": ")); next }
FNR == NR && section == "[like-named]" { likeNamed[++likeNamedCount] = before($0, ": "); isLikeNamed[before($0, ": ")] = 1; next }
FNR == NR { print FILENAME ":" FNR ": is in no section"; next }

function before(text, separator) { return index(text, separator) ? substr(text, 1, index(text, separator) - 1) : text }
function after(text, separator) {
    return index(text, separator) ? substr(text, index(text, separator) + length(separator)) : ""
}
function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# "Bytes < CSV, JSON": names to the right of a < may use the names to the left of it.
function readOrder(folder, text,    ranks, names, i, j, n, name) {
    if (folder in order) {
        print folder ": its order is defined twice"
        return
    }
    order[folder] = text
    n = split(text, ranks, "<")
    for (i = 1; i <= n; i++) {
        split(ranks[i], names, ",")
        for (j = 1; j in names; j++) {
            name = trimmed(names[j])
            if ((folder, name) in rank) {
                print folder ": its order contains " name " twice"
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

# Stores the ancestor folders of a file, and for each one the child that contains the file: a folder, or "." if the file
# is directly in the ancestor.
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

# Attributes, an access level and a kind may precede the name of the module.
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

# Returns the innermost folder of the file that is in the table of imports.
function layerOf(file,    folder) {
    folder = file
    while (sub("/[^/]*$", "", folder)) if (folder in mayImport) return folder
    return ""
}

# Records a type at the top level. A private type is visible only in its file and is ignored.
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

# Literals and interpolations can be nested: `mode` is the stack of open ones, outermost first.
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

# MARK: Findings

END {
    for (i = 1; i <= fileCount; i++) {
        layer = layerOf(files[i])
        isLayer[layer] = 1
        if (layer == "") print files[i] ": none of its folders is in the table of imports"
        findUnordered(files[i])
    }
    for (i = 1; i <= layerCount; i++)
        if (!(layers[i] in isLayer)) print layers[i] ": listed in the table of imports but missing"
    for (i = 1; i <= orderedCount; i++) findMissing(ordered[i])
    for (i = 1; i <= mentionCount; i++) findUse(mentionFile[i], mentionLine[i], mention[i])
    for (i = 1; i <= likeNamedCount; i++)
        if (!(likeNamed[i] in isMet)) print likeNamed[i] ": listed as like-named but not used"
    if (likeNamedCount > 5) print "more than five words are listed as like-named; rename the types"
}

function called(folder, name) { return name == "." ? "the files of " folder : folder "/" name }

function findUnordered(file,    i, folder, name) {
    for (i = 1; i <= levelCount[file]; i++) {
        folder = level[file, i]
        name = child[file, i]
        if (!(folder in hasFolders) || (folder, name) in rank || (folder, name) in isReported) continue
        isReported[folder, name] = 1
        if (folder in order) print called(folder, name) ": missing from the order of " folder ": " order[folder]
        else if (!(folder in isReported)) print folder ": has subfolders without a defined order"
        isReported[folder] = 1
    }
}

function findMissing(key,    parts) {
    split(key, parts, SUBSEP)
    if (!(key in isThere)) print called(parts[1], parts[2]) ": listed in the order of " parts[1] " but missing"
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
