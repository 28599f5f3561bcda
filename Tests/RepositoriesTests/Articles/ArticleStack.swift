import StrataPersistence
import StrataRepositories
import StrataTesting

/// A loaded stack of the reference model, and the folder that must live as long.
struct ArticleStack {
    let container: PersistentContainer
    private let owner: TemporaryStack?

    init(_ kind: StoreKind) throws {
        switch kind {
        case .sqlite:
            let stack = try TemporaryStack(model: ReferenceModel.model())
            (container, owner) = (stack.container, stack)
        case .inMemory: (container, owner) = (try PersistentContainer.inMemory(model: ReferenceModel.model()), nil)
        }
    }
}
