// SwiftPM looks for an entry point beside the folders of test targets, and a target has a source at least.
