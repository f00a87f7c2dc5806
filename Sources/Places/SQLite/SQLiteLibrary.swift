import CSpatiaLite

/// SQLite as a whole, before the first connection is opened.
enum SQLiteLibrary {
  /// Has SQLite, where nothing in the process has used it yet, keep no statistics of its memory.
  ///
  /// Nobody reads them, and keeping them takes 7 % of the instructions of reading places.
  static func prepare() { _ = resultCode }

  private static let resultCode = cspatialite_forgo_memory_statistics()
}
