import Testing

/// The entry point of `make test`, which replaces the generated one of SwiftPM and does not need XCTest.
@main
struct EntryPoint {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
