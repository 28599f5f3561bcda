#!/usr/bin/env bash
# Generates Swift code from random models, compiles it, and compares the models of the compiled types with the sources.
#
# Half of the models are generated for one module and half for two layers. The first models have modules of their own
# and no prefix, so that their types can have the names of types of libraries. A model file that is not valid is
# skipped; at least half of the files must be valid.
#
# Usage: Tests/Tools/GeneratedCode/run.sh TOOL [COUNT] [SEED]
#   TOOL   The built tool.
#   COUNT  The number of models (1000).
#   SEED   The seed of the models (1).
set -euo pipefail
tool=$(realpath "$1") count=${2:-1000} seed=${3:-1} group=${GROUP_SIZE:-25} alone=${ALONE:-40}
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$root/.build/generated-code
mkdir -p "$work"
find "$work" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
mkdir -p "$work/models" "$work/Sources"
python3 "$root/Tests/Tools/GeneratedCode/models.py" "$work/models" "$count" "$seed"

cat >"$work/Package.swift" <<'END'
// swift-tools-version: 6.2
import Foundation
import PackageDescription

let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Sources").path
let names = try FileManager.default.contentsOfDirectory(atPath: sources).sorted()
let strata = [
    "StrataCore", "StrataDomain", "StrataFixtures", "StrataModelFiles", "StrataPersistence", "StrataReferenceFixtures",
    "StrataRepositories",
].map { Target.Dependency.product(name: $0, package: "strata") }
let package = Package(
    name: "generated-code", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../..")],
    targets: names.filter { $0 != "check" }.map { name in
        let layer: [Target.Dependency] = name.hasPrefix("Stored") ? [.byName(name: "Domain" + name.dropFirst(6))] : []
        return .target(name: name, dependencies: strata + layer)
    } + [
        .executableTarget(
            name: "check",
            dependencies: strata + names.filter { $0.hasPrefix("Group") || $0.hasPrefix("Stored") }.map { .byName(name: $0) })
    ]
)
for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
END

mkdir -p "$work/Sources/check"
main=$work/Sources/check/main.swift checks=$work/checks valid=0
: >"$checks"
for number in $(seq 0 $((count - 1))); do
    model=$work/models/$number.model.json
    "$tool" model check "$model" >/dev/null 2>&1 || continue
    valid=$((valid + 1))
    code=$work/code/$number
    if [ "$number" -lt "$alone" ]; then
        part="${number}Alone" side=$number prefix=() enum=
    else
        part=$((number / group)) side=$((number / group)) prefix=(--prefix "M${number}")
    fi
    if [ $((side % 2)) = 0 ]; then
        "$tool" model swift "$model" --quiet ${prefix[@]+"${prefix[@]}"} --output "$code"
        for file in "$code"/*; do install -D "$file" "$work/Sources/Group$part/M$number-$(basename "$file")"; done
        module=Group$part
    else
        "$tool" model swift "$model" --quiet ${prefix[@]+"${prefix[@]}"} --layers two --domain-module "Domain$part" \
            --output "$code"
        for file in "$code"/Domain/*; do
            install -D "$file" "$work/Sources/Domain$part/M$number-$(basename "$file")"
        done
        for file in "$code"/Persistence/*; do
            install -D "$file" "$work/Sources/Stored$part/M$number-$(basename "$file")"
        done
        module=Stored$part
    fi
    enum=$(grep -rhoE "^public enum (M$number|App)Model[0-9]*" "$code" | head -1 | cut -d' ' -f3)
    echo "import enum $module.$enum" >>"$work/imports"
    echo "try check(\"$model\", $module.$enum.model())" >>"$checks"
done
if [ $((valid * 2)) -lt "$count" ]; then
    echo "run.sh: only $valid of $count model files are valid" >&2
    exit 1
fi
{
    echo "import Foundation"
    echo "import StrataModelFiles"
    echo "import StrataPersistence"
    sort -u "$work/imports"
    cat <<'END'

/// Compares the model of generated types with the model of a file.
func check(_ path: String, _ generated: ManagedObjectModel) throws {
    let source = try ModelFile(json: Array(Data(contentsOf: URL(fileURLWithPath: path)))).model
    let differences = ModelFile.differences(from: source, to: generated)
    guard differences.isEmpty, ModelFile.text(of: source) == ModelFile.text(of: generated) else {
        print("\(path): the models differ: \(differences)")
        exit(1)
    }
}

END
    cat "$checks"
    echo "print(\"$valid models are equal to the models of their generated types\")"
} >"$main"
swift run --package-path "$work" check
