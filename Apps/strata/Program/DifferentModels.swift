/// An error that ends a command after it has reported that two models differ.
struct DifferentModels: Error {}
