/// Fixtures are not what they should be; what is different was said before.
struct StaleFixtures: Error {}
