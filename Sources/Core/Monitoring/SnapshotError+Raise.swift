extension SnapshotError {
  /// Throws the error.
  ///
  /// Embedded Swift can only throw errors of a declared type, so the engine for browsers, whose
  /// snapshots never leave its memory, has another version of this function.
  package func raise() throws -> Never { throw self }
}
