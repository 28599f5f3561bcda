/// An error that ends a command after it has reported differences in generated files.
struct StaleFiles: Error {}
