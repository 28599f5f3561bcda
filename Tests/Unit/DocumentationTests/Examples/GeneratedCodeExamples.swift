import StrataModelOpenAPI
import StrataModelSwift
import StrataPersistence

// The examples of the documentation of code that is generated from models, line by line.

func codeOfModel(_ model: ManagedObjectModel) throws {
    let code = try SwiftModel(model, SwiftModelOptions(access: .internal), command: "strata model swift shop.json")
    for file in code.files { print(file.path, file.text.count) }
}

func optionsOfCode() -> SwiftModelOptions {
    let options = SwiftModelOptions(access: .internal, parts: [.repositories])
    return options
}

func descriptionOfAPI(_ model: ManagedObjectModel) {
    let description = OpenAPIDescription(model, title: "Shop")
    print(description.text)
}
