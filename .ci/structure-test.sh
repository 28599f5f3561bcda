#!/usr/bin/env bash
# Tests the program that .ci/structure.sh builds on a small package: it must report exactly the expected findings.
#
# Usage: .ci/structure-test.sh STRUCTURE
set -euo pipefail
structure=$(realpath "$1")
package=$(mktemp -d)
trap 'rm -rf -- "$package"' EXIT
cd "$package"
mkdir -p .ci Modules/Base/{Low,High,Extra} Apps

cat >.ci/layers.txt <<'END_OF_LAYERS'
# A comment.
Modules/Base: Low < High < Missing, .
END_OF_LAYERS
cat >Modules/Base/Low/Low.swift <<'END_OF_FILE'
/// A comment and a text may contain High.
public struct Low {
    let text = "High \(Self.self)"
    func many(_ a: Int, _ b: Int, _ c: Int) {}
}
#if os(Linux)
    enum Other { case High(High) }
#endif
private struct Hidden {}
END_OF_FILE
cat >Modules/Base/High/High.swift <<'END_OF_FILE'
struct High { let low: Low; init(a: Int, _ b: Int, _ c: Int) {} }
private struct Hidden { func f(a: Int) {} }
typealias Text = String
END_OF_FILE
echo 'let text: Text = "\(Low())"' >Modules/Base/Base.swift
echo 'struct Extra {}' >Modules/Base/Extra/Extra.swift

status=0
reported=$("$structure") || status=$?
diff - <(echo "$reported") <<'END_OF_FINDINGS'
Modules/Base: Extra is missing from the order Low < High < Missing, .
Modules/Base: Missing is only in the order Low < High < Missing, .
Modules/Base/Low/Low.swift:7: Low must not use High of High (Low < High < Missing, .)
structure: 1 of 3 functions have three or more unlabeled parameters
structure: 2 % or more of the functions have three or more of them
END_OF_FINDINGS
if [ "$status" -ne 1 ]; then echo "structure-test: the status is $status, not 1" >&2 && exit 1; fi
