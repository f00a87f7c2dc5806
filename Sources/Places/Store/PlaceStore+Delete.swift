extension PlaceStore {
  /// Deletes places, and what the indexes hold of them, in one transaction.
  ///
  /// Killed half-way it leaves the store as it was. Programs that follow the store see all of it at
  /// once.
  ///
  /// - Parameter ids: The ids of the places; one that is given twice counts once.
  /// - Returns: How many there were, and which ids no place had.
  /// - Complexity: O(n log n), some ten microseconds for each place.
  /// - Throws: ``PlaceStoreError``; nothing is deleted then. A store in memory cannot be changed:
  ///   `.readOnly`.
  public func delete(_ ids: [String]) throws(PlaceStoreError) -> DeletionReport {
    guard memory == nil else { throw PlaceStoreError(code: .readOnly, path: path) }
    let database = try SpatialDatabase(path: path)
    var report = DeletionReport()
    do {
      report = try database.write { connection in
        try PlaceSchema.verify(connection)
        try PlaceSchema.verifySpatial(connection)
        return try PlaceStore.delete(ids, on: connection)
      }
    } catch {
      throw PlaceStoreError(error, path: path)
    }
    // They are deleted by now, and without the note the places are counted when it is needed.
    if report.deleted > 0 { try? database.write { try PlaceCount.noteIfCreated(on: $0) } }
    return report
  }

  private static func delete(
    _ ids: [String], on connection: SQLiteConnection
  ) throws(PlaceStoreError) -> DeletionReport {
    var report = DeletionReport()
    var seen: Set<String> = []
    let find = try connection.prepare("SELECT key FROM places WHERE id = ?1")
    // The triggers take it out of both indexes.
    let delete = try connection.prepare("DELETE FROM places WHERE key = ?1")
    for id in ids where seen.insert(id).inserted {
      find.bind(id, at: 1)
      let key = try find.step() ? find.integer(0) : nil
      find.reset()
      guard let key else {
        report.unknown.append(id)
        continue
      }
      delete.bind(key, at: 1)
      try delete.run()
      report.deleted += 1
    }
    return report
  }
}
