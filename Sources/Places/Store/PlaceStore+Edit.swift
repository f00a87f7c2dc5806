import FencepostFiles
import FencepostFormats
import FencepostGeodesy
package import FencepostMonitoring
import FencepostTime
import FencepostSQLite

/// A change to one place.
package struct PlaceEdit: Equatable, Sendable {
  /// The id of the place.
  package var id: String
  /// The place as the editor read it, or nil if it did not exist.
  package var before: Place?
  /// The new place, or nil to remove it.
  package var after: Place?

  /// Creates an edit.
  package init(id: String, before: Place?, after: Place?) {
    self.id = id
    self.before = before
    self.after = after
  }
}

/// The result of a set of edits.
package enum EditOutcome: Equatable, Sendable {
  /// All edits were written; this many changed the store.
  case written(Int)
  /// Nothing was written, because these places have changed since the editor read them.
  case conflicts([PlaceConflict])
}

/// A place that changed since an editor read it.
package struct PlaceConflict: Equatable, Sendable {
  /// The edit.
  package var edit: PlaceEdit
  /// The place now in the store, or nil if it was removed.
  package var stored: Place?
}

extension PlaceStore {
  /// Writes edits in one transaction, all or none.
  ///
  /// If the store already holds the result of an edit, that is not a conflict.
  ///
  /// - Parameters:
  ///   - edits: The edits, with different ids.
  ///   - overwrites: Whether to overwrite changes that others made meanwhile.
  ///   - note: Describes the edits that change the store. ``saveNotes()`` returns the text.
  /// - Returns: Whether the edits were written.
  /// - Throws: ``PlaceStoreError``, with nothing written; `.readOnly` for a store in memory.
  package func edit(
    _ edits: [PlaceEdit], overwrites: Bool = false, note: (([PlaceEdit]) -> String)? = nil
  ) throws(PlaceStoreError) -> EditOutcome {
    guard memory == nil else { throw PlaceStoreError(code: .readOnly, path: path) }
    // Opening a missing file for writing would create an empty one.
    _ = try PlaceStore(path: path)
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
      for (edit, stored) in zip(edits, stored) where !edit.after.isSame(as: stored) {
        try Self.write(edit.after, over: stored, on: database)
        written.append(PlaceEdit(id: edit.id, before: stored, after: edit.after))
      }
      if let note, !written.isEmpty { try SaveNotes.append(note(written), on: database) }
      return (EditOutcome.written(written.count), !written.isEmpty)
    }
  }

  /// Replaces a stored place, which keeps its key; triggers update both indexes.
  private static func write(_ place: Place?, over stored: Place?, on database: Database) throws {
    if let place {
      try put(place, over: stored, on: database)
    } else {
      try database.execute("DELETE FROM places WHERE key = ?", [.key(of: stored)])
    }
    try database.requireTransaction()
  }

  private static func put(_ place: Place, over stored: Place?, on database: Database) throws {
    let columns = StagedPlaces.columns
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
