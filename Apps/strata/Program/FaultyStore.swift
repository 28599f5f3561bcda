/// An error that ends a check after it has reported faults.
struct FaultyStore: Error {}
