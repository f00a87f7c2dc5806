import FencepostFiles
import FencepostFormats
import FencepostGeodesy
package import FencepostMonitoring
import FencepostSQLite
import FencepostTime

/// One change by an editor: a place that is added, replaced or removed.
///
/// It also has the place as the editor saw it, so that another editor's change is not overwritten
/// unseen.
package struct PlaceEdit: Equatable, Sendable {
  /// The id of the place, which an edit cannot change.
  package var id: String
  /// The place as the editor read it, or nil if it did not exist.
  package var before: Place?
  /// The new place, or nil to remove it.
  package var after: Place?

  /// Creates an edit; `before` and `after` must have this id.
  package init(id: String, before: Place?, after: Place?) {
    self.id = id
    self.before = before
    self.after = after
  }
}

/// What came of edits that were written together.
///
/// The editor is asked to decide about conflicts, and may then write the same edits again with
/// `overwrites`.
package enum EditOutcome: Equatable, Sendable {
  /// All edits were written; this many changed the store.
  case written(Int)
  /// Nothing was written, because these places have changed since the editor read them.
  case conflicts([PlaceConflict])
}

/// An edit of a place that has changed in the store meanwhile.
///
/// The editor sees both, and decides which one to keep.
package struct PlaceConflict: Equatable, Sendable {
  /// The edit that was not written.
  package var edit: PlaceEdit
  /// The place now in the store, or nil if it was removed.
  package var stored: Place?
}

extension PlaceStore {
  /// Writes edits in one transaction, all or none.
  ///
  /// The ids must differ. If the store already holds the result of an edit, that is not a conflict.
  /// `note` describes the edits that change the store, for ``saveNotes()``.
  ///
  /// - Throws: ``PlaceStoreError``, with nothing written; `.readOnly` for a store in memory.
  package func edit(
    _ edits: [PlaceEdit], overwrites: Bool = false, note: (([PlaceEdit]) -> String)? = nil
  ) throws(PlaceStoreError) -> EditOutcome {
    guard memory == nil else { throw PlaceStoreError(code: .readOnly, path: path) }
    return try change { database in
      let find = try Statement(Place.select + " WHERE id = ?1", on: database)
      let stored = try edits.map { edit in
        find.bind(edit.id, at: 1)
        defer { find.reset() }
        return try find.step() ? Place(find) : nil
      }
      let conflicts = zip(edits, stored).filter { edit, stored in
        !edit.before.isSame(as: stored) && !edit.after.isSame(as: stored)
      }
      guard overwrites || conflicts.isEmpty else {
        return (.conflicts(conflicts.map { PlaceConflict(edit: $0, stored: $1) }), false)
      }
      var written: [PlaceEdit] = []
      let index = try SpatialIndex(on: database)
      for (edit, stored) in zip(edits, stored) where !edit.after.isSame(as: stored) {
        try Self.write(edit.after, over: stored, index, on: database)
        written.append(PlaceEdit(id: edit.id, before: stored, after: edit.after))
      }
      if let note, !written.isEmpty { try Self.append(note(written), on: database) }
      return (EditOutcome.written(written.count), !written.isEmpty)
    }
  }

  /// Replaces a stored place, which keeps its key.
  private static func write(
    _ place: Place?, over stored: Place?, _ index: SpatialIndex, on database: Database
  ) throws {
    if let place {
      try put(place, over: stored, on: database)
      let key = try stored?.key ?? Int64(database.number("SELECT last_insert_rowid()"))
      try index.put(key, at: place.coordinate)
    } else if let stored {
      try database.execute("DELETE FROM places WHERE key = ?", [.key(of: stored)])
      try index.remove(stored.key)
    }
    try database.requireTransaction()
  }

  /// Inserts a place, or replaces the one with the key of `stored`.
  private static func put(_ place: Place, over stored: Place?, on database: Database) throws {
    guard !place.id.isEmpty, place.coordinate.isValid, place.radiusMeters > 0,
      place.radiusMeters <= Circle.greatestRadiusMeters
    else {
      throw PlaceStoreError(
        code: .statement, path: database.name,
        detail: "“\(place.id)” needs an id, a valid position and a radius of up to 20,000 km")
    }
    let columns = PlaceRows.columns
    let values: [SQLiteValue] = [
      .key(of: stored), .text(place.id), .text(place.title), .text(place.category),
      .integer(Int64(place.priority)), .time(place.publishedMilliseconds),
      .time(place.expiresMilliseconds), .text(place.url), .text(place.blurb),
      .blob(PointBlob.bytes(place.coordinate)), .real(place.radiusMeters),
    ]
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let changes = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    try database.execute(
      """
      INSERT INTO places (key, \(columns.joined(separator: ", "))) VALUES (\(marks))
      ON CONFLICT (key) DO UPDATE SET \(changes)
      """, values)
  }

  /// Deletes places and their index entries in one transaction.
  ///
  /// If the program is killed, the store stays as it was. Other programs see all deletions at once.
  /// Ids that repeat count once.
  ///
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
    try PlaceStore.requireFile(path)
    let connection = try StoreConnection(editing: path)
    let (result, hasChanged) = try connection.write { database in
      try PlaceSchema.verifySpatial(database)
      let result = try body(database)
      if result.hasChanged {
        try PlaceSchema.upgrade(database)
        try PlaceSchema.noteChange(database)
      }
      return result
    }
    // Already committed. Without the stored number, the next reader counts.
    if hasChanged { try? connection.write { try PlaceCount.note(on: $0) } }
    return result
  }

  /// Deletes places and their index entries, within the caller's transaction.
  private static func delete(_ ids: [String], on database: Database) throws -> DeletionReport {
    var report = DeletionReport()
    var seen: Set<String> = []
    let find = try Statement("SELECT key FROM places WHERE id = ?1", on: database)
    let index = try SpatialIndex(on: database)
    let delete = try Statement("DELETE FROM places WHERE key = ?1", on: database)
    for id in ids where seen.insert(id).inserted {
      find.bind(id, at: 1)
      defer { find.reset() }
      if try find.step() {
        let key = find.integer(0)
        delete.bind(key, at: 1)
        find.reset()
        try delete.run()
        try index.remove(key)
        report.deleted += 1
      } else {
        report.unknown.append(id)
      }
    }
    return report
  }

  /// Adds a note about an edit, in a table that the first of them creates.
  ///
  /// Notes are in the file of the store and in the transaction of the edit, so that several
  /// programs may edit, and a copied or replaced store brings its own.
  private static func append(_ note: String, on database: Database) throws {
    try database.execute(
      "CREATE TABLE IF NOT EXISTS places_saves (number INTEGER PRIMARY KEY, note TEXT NOT NULL)")
    try database.execute("INSERT INTO places_saves (note) VALUES (?)", [.text(note)])
    try database.execute(
      """
      DELETE FROM places_saves WHERE number IN (
        SELECT number FROM (
          SELECT number, row_number() OVER latest AS place,
            sum(length(CAST(note AS BLOB))) OVER latest AS bytes
          FROM places_saves WINDOW latest AS (ORDER BY number DESC))
        WHERE place > 1000 OR bytes > \(2 << 20))
      """)
  }

  /// The notes about the latest edits, oldest first: at most 1,000, and 2 MB together.
  package func saveNotes() throws(PlaceStoreError) -> [String] {
    guard memory == nil else { return [] }
    return try StoreConnection(reading: path).run { database in
      guard try database.hasObject("places_saves") else { return [] }
      return try database.all("SELECT note FROM places_saves ORDER BY number") { $0.string(0) }
    }
  }
}

extension SQLiteValue {
  fileprivate static func key(of place: Place?) -> Self { place.map { .integer($0.key) } ?? .null }

  fileprivate static func time(_ milliseconds: Int64?) -> Self {
    milliseconds.map { .text(ISO8601.string(milliseconds: $0)) } ?? .null
  }
}

extension Place? {
  /// Compares all but the keys, which belong to the store.
  fileprivate func isSame(as other: Place?) -> Bool {
    guard var place = self, let other else { return self == nil && other == nil }
    place.key = other.key
    return place == other
  }
}

/// What a deletion found in the store.
///
/// A command that deletes names the unknown ids, which are often misspelled.
package struct DeletionReport: Equatable, Sendable {
  /// The number of places removed.
  package var deleted = 0
  /// The ids that no place had, in the order given.
  package var unknown: [String] = []
}
