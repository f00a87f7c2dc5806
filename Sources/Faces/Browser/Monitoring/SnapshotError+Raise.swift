extension SnapshotError {
  /// Stops, as Embedded Swift cannot throw it: a snapshot that stays in memory is never damaged.
  package func raise() throws -> Never { fatalError() }
}
