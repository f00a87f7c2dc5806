import FencepostSQLite

/// The result of a deletion.
package struct DeletionReport: Equatable, Sendable {
  /// The number of places deleted.
  package var deleted = 0
  /// The ids that no place had, in the order given.
  package var unknown: [String] = []
}

extension PlaceStore {
  /// Deletes places and their index entries in one transaction.
  ///
  /// If the program is killed, the store stays as it was. Other programs see all deletions at once.
  ///
  /// - Parameter ids: The ids of the places; duplicates count once.
  /// - Returns: How many were deleted, and the unknown ids.
  /// - Complexity: O(n log n), about ten microseconds per place.
  /// - Throws: ``PlaceStoreError``, with nothing deleted; `.readOnly` for a store in memory.
  package func delete(_ ids: [String]) throws(PlaceStoreError) -> DeletionReport {
    try change { database in
      let report = try PlaceStore.delete(ids, on: database)
      return (report, report.deleted > 0)
    }
  }

  /// Changes a store in one transaction, all or nothing.
  ///
  /// `body` returns its result, and whether it changed anything.
  func change<Result>(
    _ body: (Database) throws -> (Result, hasChanged: Bool)
  ) throws(PlaceStoreError) -> Result {
    guard memory == nil else { throw PlaceStoreError(code: .readOnly, path: path) }
    let connection = try StoreConnection(writing: path)
    let (result, hasChanged) = try connection.write { database in
      try PlaceSchema.verify(database)
      try PlaceSchema.verifySpatial(database)
      return try body(database)
    }
    // Already committed. Without the stored number, the next reader counts.
    if hasChanged { try? connection.write { try PlaceCount.noteIfCreated(on: $0) } }
    return result
  }

  private static func delete(_ ids: [String], on database: Database) throws -> DeletionReport {
    var report = DeletionReport()
    var seen: Set<String> = []
    let find = try Statement("SELECT key FROM places WHERE id = ?1", on: database)
    // Triggers delete it from both indexes.
    let delete = try Statement("DELETE FROM places WHERE key = ?1", on: database)
    for id in ids where seen.insert(id).inserted {
      find.bind(id, at: 1)
      defer { find.reset() }
      if try find.step() {
        delete.bind(find.integer(0), at: 1)
        find.reset()
        try delete.run()
        report.deleted += 1
      } else {
        report.unknown.append(id)
      }
    }
    return report
  }
}
