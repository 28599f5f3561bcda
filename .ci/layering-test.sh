#!/usr/bin/env bash
# Tests .ci/layering.sh on small packages: it must report nothing for a correct package, and exactly the expected
# findings for a package with one error of each kind.
#
# Usage: .ci/layering-test.sh
set -euo pipefail
layering=$(cd "$(dirname "$0")" && pwd)/layering.sh
package=$(mktemp -d)
trap 'rm -rf -- "$package"' EXIT
cd "$package"

# Writes standard input to a file.
file() {
    mkdir -p "$(dirname "$1")"
    cat >"$1"
}

failed=0
# Compares the reported findings with standard input.
expect() {
    local reported status=0
    reported=$("$layering" "$package" 2>&1) || status=$?
    if ! diff <(cat) <(printf '%s' "${reported:+$reported$'\n'}") || [ "$status" -ne "$1" ]; then
        echo "layering-test: $2: < is expected, > is reported, status $status" >&2
        failed=1
    fi
}

file Package.swift <<'END'
.target(name: "StrataBase"),
.target(name: "StrataTop"),
END
mkdir -p Apps Tests

# Allowed uses, and texts that only resemble a use.

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
/// A parameter of ``High`` and Right, "Left \(Left)".
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
expect 0 "a correct package" </dev/null

# Errors in the table.

file .ci/layers.txt <<'END'
stray
[imports]
Modules/Base: Foundation
Modules/Base/High: Foundation CHigh
Modules/Top: Foundation StrataBase
Modules/Removed: Foundation
[order]
Modules/Base: Low < Left, Right < High < ., Removed, Low
Modules/Base: Low
Modules/Base/High: Inner < Outer < .
[like-named]
Modules/Base/Low Other: it is a case of an enumeration
Modules/Base/Low A: no type has this name
Modules/Base/Low B: no type has this name
Modules/Base/Low C: no type has this name
Modules/Base/Low D: no type has this name
Modules/Base/Low E: no type has this name
END
expect 1 "a table with an error of each kind" <<'END'
.ci/layers.txt:1: is in no section
Modules/Base: its order contains Low twice
Modules/Base: its order is defined twice
Modules/Removed: listed in the table of imports but missing
Modules/Base/Removed: listed in the order of Modules/Base but missing
the files of Modules/Base/High: listed in the order of Modules/Base/High but missing
Modules/Base/Low A: listed as like-named but not used
Modules/Base/Low B: listed as like-named but not used
Modules/Base/Low C: listed as like-named but not used
Modules/Base/Low D: listed as like-named but not used
Modules/Base/Low E: listed as like-named but not used
more than five words are listed as like-named; rename the types
layering: 12 finding(s)
END

# Errors in files.

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
file Modules/Base/High/Neighbor.swift <<'END'
struct Neighbor {}
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
expect 1 "a package with an error of each kind" <<'END'
Modules/Base/Low/Imports.swift:2: Modules/Base must not import StrataTop (it may import Foundation)
Modules/Base/Low/Imports.swift:3: Modules/Base must not import CHigh (it may import Foundation)
Apps/tool/Tool.swift: none of its folders is in the table of imports
the files of Modules/Base/High: missing from the order of Modules/Base/High: Inner < Outer
Modules/Base/New: missing from the order of Modules/Base: Low < Left, Right < High < .
Modules/Top: has subfolders without a defined order
Modules/Base/High/Inner/Uses.swift:2: Modules/Base/High/Inner must not use Outer of Modules/Base/High/Outer (the order of Modules/Base/High is Inner < Outer)
Modules/Base/Left/Uses.swift:2: Modules/Base/Left must not use Right of Modules/Base/Right (the order of Modules/Base is Low < Left, Right < High < .)
Modules/Base/Low/Uses.swift:2: Modules/Base/Low must not use High of Modules/Base/High (the order of Modules/Base is Low < Left, Right < High < .)
Modules/Base/Low/Uses.swift:3: Modules/Base/Low must not use Base of the files of Modules/Base (the order of Modules/Base is Low < Left, Right < High < .)
Tests/BaseTests/BaseTests.swift:2: only Modules/Persistence/SQLite may import CStrataSQLite
Modules/Top/Inner/Inner.swift:1:enum StrataBase {}: a type must not have the name of a module
notes.txt: not in the list of allowed top-level entries; move it into one of their folders
layering: 13 finding(s)
END

exit "$failed"
