// SwiftPM requires an entry point outside of test targets, and a target requires a source file.
