import Testing

/// Where `make test` begins: what SwiftPM writes itself, without XCTest.
@main
struct EntryPoint {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
