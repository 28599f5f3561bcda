#!/usr/bin/env bash
# Tries .ci/layering.sh on small packages: of one in order it must report nothing, and of one with a fault of each kind these faults
# and nothing else.
#
# Usage: .ci/layering-test.sh
set -euo pipefail
layering=$(cd "$(dirname "$0")" && pwd)/layering.sh
package=$(mktemp -d)
trap 'rm -rf -- "$package"' EXIT
cd "$package"

# Makes a file of what stands on standard input.
file() {
    mkdir -p "$(dirname "$1")"
    cat >"$1"
}

failed=0
# Compares what is reported with standard input.
expect() {
    local reported status=0
    reported=$("$layering" "$package" 2>&1) || status=$?
    if ! diff <(cat) <(printf '%s' "${reported:+$reported$'\n'}") || [ "$status" -ne "$1" ]; then
        echo "layering-test: $2: < was expected, > is reported, status $status" >&2
        failed=1
    fi
}

file Package.swift <<'END'
.target(name: "StrataBase"),
.target(name: "StrataTop"),
END
mkdir -p Apps Tests

# What is allowed, and what only looks like a use.

file .ci/layers.txt <<'END'
# A comment.
[imports]
Modules/Base: Foundation
Modules/Base/High: Foundation CHigh
Modules/Top: Foundation StrataBase

[order]
Modules/Base: Low < Left, Right < High < .
Modules/Base/High: Inner < Outer
[like-named]
Modules/Base/Low Other: it is a case of an enumeration
END
file Modules/Base/Base.swift <<'END'
@_exported public import Foundation

public struct Base { var high: High, low: Low }
END
file Modules/Base/Low/Low.swift <<'END'
/// What ``High`` and Right take, "Left \(Left)".
public struct Low { // Base
    /* High
       Right */
    enum Nested { case Other }
    static let text = "High \" Right // \\", more = "(\("Left") \(String("\(1) High)") + "Right"))" // Left
    static let lines = """
        High "Right" \("Left" + "High")
        import StrataTop
        """
    let twice: Twice, file: File
}
enum Twice {}
END
file Modules/Base/Left/Left.swift <<'END'
import struct Foundation.Date

@frozen public enum Left { case low(Low) }
final class Other {}
enum Twice {}
private struct File {}
END
file Modules/Base/Right/Right.swift <<'END'
@preconcurrency internal import Foundation

indirect enum Right {}
END
file Modules/Base/High/Inner/High.swift <<'END'
import CHigh

actor High { let values: (Left, Right) = "\(Low())" }
END
file Modules/Base/High/Outer/Outer.swift <<'END'
protocol Outer: High {}
END
file Modules/Top/Top.swift <<'END'
import StrataBase

typealias Top = Base
END
expect 0 "a package in order" </dev/null

# What is wrong with the table.

file .ci/layers.txt <<'END'
stray
[imports]
Modules/Base: Foundation
Modules/Base/High: Foundation CHigh
Modules/Top: Foundation StrataBase
Modules/Gone: Foundation
[order]
Modules/Base: Low < Left, Right < High < ., Gone, Low
Modules/Base: Low
Modules/Base/High: Inner < Outer < .
[like-named]
Modules/Base/Low Other: it is a case of an enumeration
Modules/Base/Low A: nothing is called so
Modules/Base/Low B: nothing is called so
Modules/Base/Low C: nothing is called so
Modules/Base/Low D: nothing is called so
Modules/Base/Low E: nothing is called so
END
expect 1 "a table with a fault of each kind" <<'END'
.ci/layers.txt:1: stands in no section
Modules/Base: its order names Low twice
Modules/Base: its order is given twice
Modules/Gone: in the table of imports, and not there
Modules/Base/Gone: in the order of Modules/Base, and not there
the files of Modules/Base/High: in the order of Modules/Base/High, and not there
Modules/Base/Low A: is listed as like-named, and is not met
Modules/Base/Low B: is listed as like-named, and is not met
Modules/Base/Low C: is listed as like-named, and is not met
Modules/Base/Low D: is listed as like-named, and is not met
Modules/Base/Low E: is listed as like-named, and is not met
more than five words are listed as like-named; give types other names
layering: 12 finding(s)
END

# What is wrong with files.

file .ci/layers.txt <<'END'
[imports]
Modules/Base: Foundation
Modules/Base/High: Foundation CHigh
Modules/Top: Foundation StrataBase
[order]
Modules/Base: Low < Left, Right < High < .
Modules/Base/High: Inner < Outer
[like-named]
Modules/Base/Low Other: it is a case of an enumeration
END
file Modules/Base/Low/Imports.swift <<'END'
import Foundation
  @testable private import StrataTop
import CHigh
END
file Modules/Base/Low/Uses.swift <<'END'
extension Low {
    static let high = "\(High.self)"
    func base() { Base() }
}
END
file Modules/Base/Left/Uses.swift <<'END'
let right = """
    \(map { "\($0 as Right)" })
    """
END
file Modules/Base/High/Inner/Uses.swift <<'END'
extension High { func outer(_ outer: some
    Outer) {} }
END
file Modules/Base/High/Beside.swift <<'END'
struct Beside {}
END
file Modules/Base/New/New.swift <<'END'
struct New {}
END
file Modules/Top/Inner/Inner.swift <<'END'
enum StrataBase {}
END
file Apps/tool/Tool.swift <<'END'
struct Tool {}
END
file Tests/BaseTests/BaseTests.swift <<'END'
// import CStrataSQLite
@testable import CStrataSQLite
END
file notes.txt </dev/null
expect 1 "a package with a fault of each kind" <<'END'
Modules/Base/Low/Imports.swift:2: Modules/Base must not import StrataTop (it may import Foundation)
Modules/Base/Low/Imports.swift:3: Modules/Base must not import CHigh (it may import Foundation)
Apps/tool/Tool.swift: no folder of it is in the table of imports
the files of Modules/Base/High: not in the order of Modules/Base/High: Inner < Outer
Modules/Base/New: not in the order of Modules/Base: Low < Left, Right < High < .
Modules/Top: has folders, and nothing says their order
Modules/Base/High/Inner/Uses.swift:2: Modules/Base/High/Inner must not use Outer of Modules/Base/High/Outer (the order of Modules/Base/High is Inner < Outer)
Modules/Base/Left/Uses.swift:2: Modules/Base/Left must not use Right of Modules/Base/Right (the order of Modules/Base is Low < Left, Right < High < .)
Modules/Base/Low/Uses.swift:2: Modules/Base/Low must not use High of Modules/Base/High (the order of Modules/Base is Low < Left, Right < High < .)
Modules/Base/Low/Uses.swift:3: Modules/Base/Low must not use Base of the files of Modules/Base (the order of Modules/Base is Low < Left, Right < High < .)
Tests/BaseTests/BaseTests.swift:2: only Modules/Persistence/SQLite imports CStrataSQLite
Modules/Top/Inner/Inner.swift:1:enum StrataBase {}: a type must not be called as a module
notes.txt: not in the agreed list of the top level; it belongs inside a folder that is
layering: 13 finding(s)
END

exit "$failed"
