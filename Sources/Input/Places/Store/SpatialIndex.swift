import FencepostGeodesy
import FencepostSQLite

/// SpatiaLite's index of the places of a store, which follows what an edit or import changes.
///
/// It writes the table that SpatiaLite's triggers would, because Fencepost runs no trigger of a
/// file.
struct SpatialIndex {
  /// The tables behind the index, an R*Tree.
  static let tables = ["node", "rowid", "parent"].map { "\(PlaceSchema.spatialIndex)_\($0)" }

  private let insert: Statement
  private let delete: Statement

  /// Prepares to change the index of a store.
  init(on database: Database) throws {
    let name = PlaceSchema.spatialIndex
    insert = try Statement(
      "REPLACE INTO \(name) (pkid, xmin, xmax, ymin, ymax) VALUES (?1, ?2, ?2, ?3, ?3)",
      on: database)
    delete = try Statement("DELETE FROM \(name) WHERE pkid = ?1", on: database)
  }

  /// Adds a place, or moves it.
  func put(_ key: Int64, at coordinate: Coordinate) throws {
    insert.bind(key, at: 1)
    insert.bind(coordinate.longitudeDegrees, at: 2)
    insert.bind(coordinate.latitudeDegrees, at: 3)
    try insert.run()
  }

  /// Removes a place, if it is there.
  func remove(_ key: Int64) throws {
    delete.bind(key, at: 1)
    try delete.run()
  }

  /// Checks that the index is an R*Tree of points, and that searching it ends.
  ///
  /// SQLite searches a node as often as others name it. Only a tree that is deeper than its file has
  /// nodes for names one again and again.
  static func verify(_ database: Database) throws {
    let name = PlaceSchema.spatialIndex
    let definition =
      try database.text(
        "SELECT sql FROM sqlite_schema WHERE name = ?", [.text(name)]) ?? ""
    let bare = definition.lowercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
    guard bare == "createvirtualtable\(name)usingrtree(pkid,xmin,xmax,ymin,ymax)" else {
      throw PlaceSchema.computed("“\(name)” is not an R*Tree", database)
    }
    let root = try database.blob("SELECT data FROM \(name)_node WHERE nodeno = 1") ?? []
    // Without a root, SQLite says itself that the file is damaged.
    guard root.count > 4 else { return }
    let depth = Int(root[0]) << 8 | Int(root[1])
    let leastCells = max(2, PackedTree.capacity(nodeBytes: root.count) / 3)
    var nodes =
      try database.number("PRAGMA page_count") * database.number("PRAGMA page_size") / root.count
    var deepest = 1
    while nodes > 1 { (nodes, deepest) = (nodes / leastCells, deepest + 1) }
    guard depth <= deepest else {
      throw PlaceStoreError(
        code: .damaged, path: database.name, detail: "\(name) is deeper than it can be")
    }
  }
}
