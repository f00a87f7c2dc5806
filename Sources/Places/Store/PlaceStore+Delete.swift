import GRDB

/// What a deletion did.
public struct DeletionReport: Equatable, Sendable {
  /// How many places were deleted.
  public var deleted = 0
  /// The ids that no place had, in the order given.
  public var unknown: [String] = []
}

extension PlaceStore {
  /// Deletes places and their index entries in one transaction.
  ///
  /// Killed half-way it leaves the store as it was. Programs that follow the store see all of it at
  /// once.
  ///
  /// - Parameter ids: The ids of the places; an id given twice counts once.
  /// - Returns: How many were deleted, and which ids no place had.
  /// - Complexity: O(n log n), some ten microseconds for each place.
  /// - Throws: ``PlaceStoreError``; nothing is deleted then. A store in memory cannot be changed:
  ///   `.readOnly`.
  public func delete(_ ids: [String]) throws(PlaceStoreError) -> DeletionReport {
    guard memory == nil else { throw PlaceStoreError(code: .readOnly, path: path) }
    let connection = try StoreConnection(writing: path)
    let report = try connection.write { database in
      try PlaceSchema.verify(database)
      try PlaceSchema.verifySpatial(database)
      return try PlaceStore.delete(ids, on: database)
    }
    // The deletion is committed; without the note the next reader counts the places.
    if report.deleted > 0 { try? connection.write { try PlaceCount.noteIfCreated(on: $0) } }
    return report
  }

  private static func delete(_ ids: [String], on database: Database) throws -> DeletionReport {
    var report = DeletionReport()
    var seen: Set<String> = []
    let find = try database.makeStatement(sql: "SELECT key FROM places WHERE id = ?")
    // Triggers delete it from both indexes.
    let delete = try database.makeStatement(sql: "DELETE FROM places WHERE key = ?")
    for id in ids where seen.insert(id).inserted {
      if let key = try Int64.fetchOne(find, arguments: [id]) {
        try delete.execute(arguments: [key])
        report.deleted += 1
      } else {
        report.unknown.append(id)
      }
    }
    return report
  }
}
