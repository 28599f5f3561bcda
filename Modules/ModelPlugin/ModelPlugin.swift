import Foundation
import PackagePlugin

/// The build tool plugin that generates Swift code from the model file of a target.
///
/// The model file is the only `*.model.json` or `datapackage.json` in the target's directory. The plugin runs the
/// generator before the target is compiled, if a JSON file of the target changed. It writes one file in its work
/// directory, and needs no network.
@main
struct ModelPlugin: BuildToolPlugin {
    /// The name of the generated file, which is fixed so that the plugin need not read the model.
    private static let output = "StrataModel.swift"

    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let files = target.sourceModule?.sourceFiles.map(\.url) else { return [] }
        let models = files.filter {
            $0.lastPathComponent.hasSuffix(".model.json") || $0.lastPathComponent == "datapackage.json"
        }
        guard models.count < 2 else {
            let names = models.map(\.lastPathComponent).sorted().joined(separator: ", ")
            Diagnostics.error("\(target.name) has several model files, but a target can have one: \(names)")
            return []
        }
        guard let model = models.first else {
            Diagnostics.error("\(target.name) has no model file; add a file with the extension .model.json")
            return []
        }
        let output = context.pluginWorkDirectoryURL.appending(path: Self.output)
        return [
            .buildCommand(
                displayName: "Generate \(Self.output) from \(model.lastPathComponent)",
                executable: try context.tool(named: "strata-model-generator").url,
                arguments: [model.path(percentEncoded: false), output.path(percentEncoded: false)],
                // A model file can refer to separate files with schemas.
                inputFiles: files.filter { $0.pathExtension == "json" }, outputFiles: [output])
        ]
    }
}
