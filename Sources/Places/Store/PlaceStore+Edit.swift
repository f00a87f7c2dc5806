import FencepostFiles
import FencepostFormats
import FencepostGeodesy
public import FencepostMonitoring
import FencepostTime
import Foundation
import GRDB

/// A change of one place: as an editor knew it, and as it shall be.
public struct PlaceEdit: Equatable, Sendable {
  /// The place's id.
  public var id: String
  /// The place as the editor read it from the store; nil if the store had none of the id.
  public var before: Place?
  /// The place as it shall be; nil to remove it.
  public var after: Place?

  /// Makes an edit of its parts.
  public init(id: String, before: Place?, after: Place?) {
    self.id = id
    self.before = before
    self.after = after
  }
}

/// What became of edits.
public enum EditOutcome: Equatable, Sendable {
  /// All were written; how many changed the store.
  case written(Int)
  /// Nothing was written, because the store holds other places than the editor knew.
  case conflicts([PlaceConflict])
}

/// A place that somebody else has changed since an editor read it.
public struct PlaceConflict: Equatable, Sendable {
  /// The edit.
  public var edit: PlaceEdit
  /// The place that the store holds now; nil if it holds none of the id.
  public var stored: Place?
}

extension PlaceStore {
  /// Writes edits in one transaction, all or none.
  ///
  /// An edit that finds what it would write is fine, whoever wrote it.
  ///
  /// - Parameters:
  ///   - edits: The edits, of different ids.
  ///   - overwrites: Whether they are written even over what others have changed meanwhile.
  /// - Returns: What became of them.
  /// - Throws: ``PlaceStoreError``; nothing is written then. A store in memory cannot be changed:
  ///   `.readOnly`.
  public func edit(
    _ edits: [PlaceEdit], overwrites: Bool = false
  ) throws(PlaceStoreError) -> EditOutcome {
    guard memory == nil else { throw PlaceStoreError(code: .readOnly, path: path) }
    // Opening a file that is gone would make an empty one.
    _ = try PlaceStore(path: path)
    let connection = try StoreConnection(writing: path)
    let outcome = try connection.write { database in
      try PlaceSchema.verify(database)
      try PlaceSchema.verifySpatial(database)
      let editor = try PlaceEditor(database)
      let stored = try edits.map { try editor.place(withID: $0.id) }
      let conflicts = zip(edits, stored).filter { edit, stored in
        !edit.before.isSame(as: stored) && !edit.after.isSame(as: stored)
      }
      guard overwrites || conflicts.isEmpty else {
        return EditOutcome.conflicts(conflicts.map { PlaceConflict(edit: $0, stored: $1) })
      }
      var count = 0
      for (edit, stored) in zip(edits, stored) where !edit.after.isSame(as: stored) {
        try editor.write(edit.after, over: stored)
        count += 1
      }
      return .written(count)
    }
    // The edits are committed; without the note the next reader counts the places.
    if case .written(1...) = outcome {
      try? connection.write { try PlaceCount.noteIfCreated(on: $0) }
    }
    return outcome
  }
}

/// Reads and writes single places by their ids, within the caller's transaction.
private struct PlaceEditor {
  private let database: Database
  private let find: RawStatement

  init(_ database: Database) throws {
    self.database = database
    find = try RawStatement(Place.select + " WHERE id = ?1", on: database)
  }

  func place(withID id: String) throws -> Place? {
    find.bind(id, at: 1)
    defer { find.reset() }
    return try find.step() ? Place(find) : nil
  }

  /// Replaces a stored place, which keeps its key; triggers keep both indexes.
  func write(_ place: Place?, over stored: Place?) throws {
    if let place {
      try put(place, over: stored)
    } else {
      try database.execute(sql: "DELETE FROM places WHERE key = ?", arguments: [stored?.key])
    }
    try database.requireTransaction()
  }

  private func put(_ place: Place, over stored: Place?) throws {
    let columns = StagedPlaces.columns
    let values: [(any DatabaseValueConvertible)?] = [
      stored?.key, place.id, place.title, place.category, place.priority,
      Self.text(place.publishedMilliseconds), Self.text(place.expiresMilliseconds), place.url,
      place.blurb, Data(PointBlob.bytes(place.coordinate)), place.radiusMeters,
    ]
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let changes = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    try database.execute(
      sql: """
        INSERT INTO places (key, \(columns.joined(separator: ", "))) VALUES (\(marks))
        ON CONFLICT (key) DO UPDATE SET \(changes)
        """, arguments: StatementArguments(values))
  }

  private static func text(_ milliseconds: Int64?) -> String? {
    milliseconds.map(ISO8601.string(milliseconds:))
  }
}

extension Place? {
  /// Whether two places, or none, say the same; the key is the store's own affair.
  fileprivate func isSame(as other: Place?) -> Bool {
    guard var place = self, let other else { return self == nil && other == nil }
    place.key = other.key
    return place == other
  }
}
