/// An error that ends a command after it has reported differences in fixtures.
struct StaleFixtures: Error {}
