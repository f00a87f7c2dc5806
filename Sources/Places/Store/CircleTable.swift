import GRDB
import FencepostGeodesy

/// Reads the nodes of the circle index and the exact circles that its cells stand for.
///
/// The caller keeps a snapshot open: a statement outside a transaction costs five times as much.
final class CircleTable {
  private let path: String
  private let circleStatement: RawStatement
  private let circlesStatement: RawStatement
  private let nodeStatement: RawStatement
  private let idStatement: RawStatement

  init(_ database: Database) throws(PlaceStoreError) {
    path = database.storePath
    circleStatement = try RawStatement(
      "SELECT geometry, radius FROM places WHERE key = ?1", on: database)
    circlesStatement = try RawStatement(
      "SELECT key, geometry, radius FROM places WHERE key BETWEEN ?1 AND ?2 ORDER BY key",
      on: database)
    nodeStatement = try RawStatement(
      "SELECT data FROM \(PlaceSchema.reachTree)_node WHERE nodeno = ?1", on: database)
    idStatement = try RawStatement("SELECT id FROM places WHERE key = ?1", on: database)
  }

  /// The circle of a place, or nil if there is no such place or its row has no valid circle.
  func circle(ofKey key: Int64) throws(PlaceStoreError) -> Circle? {
    circleStatement.bind(key, at: 1)
    defer { circleStatement.reset() }
    guard try circleStatement.step() else { return nil }
    return circle(in: circleStatement, geometry: 0, radius: 1)
  }

  /// Reads the circles of a range of keys, ascending, without rows that have no valid circle.
  ///
  /// - Parameters:
  ///   - keys: The range.
  ///   - isWanted: Whether to read the circle of a key.
  ///   - body: Called with each key and its circle.
  /// - Throws: ``PlaceStoreError``.
  func circles(
    ofKeys keys: ClosedRange<Int64>, where isWanted: (Int64) -> Bool = { _ in true },
    _ body: (Int64, Circle) -> Void
  ) throws(PlaceStoreError) {
    circlesStatement.bind(keys.lowerBound, at: 1)
    circlesStatement.bind(keys.upperBound, at: 2)
    defer { circlesStatement.reset() }
    while try circlesStatement.step() {
      let key = circlesStatement.integer(0)
      guard isWanted(key), let circle = circle(in: circlesStatement, geometry: 1, radius: 2)
      else { continue }
      body(key, circle)
    }
  }

  private func circle(
    in statement: RawStatement, geometry: Int32, radius: Int32
  ) -> Circle? {
    guard let coordinate = statement.withBlob(geometry, PointBlob.decode), coordinate.isValid
    else { return nil }
    let radius = statement.double(radius)
    guard radius > 0, radius <= Circle.greatestRadiusMeters else { return nil }
    return Circle(center: Position(coordinate.canonical), radiusMeters: radius)
  }

  /// The id of a key, empty for an unknown one.
  func id(ofKey key: Int64) throws(PlaceStoreError) -> String {
    idStatement.bind(key, at: 1)
    defer { idStatement.reset() }
    return try idStatement.step() ? idStatement.string(0) : ""
  }

  /// Reads the cells of a node of the circle index; node 1 is the root.
  ///
  /// - Parameters:
  ///   - number: The node's number.
  ///   - window: Cells outside of it are skipped.
  ///   - body: Called with the key of a leaf's place, or the number of an inner node's child, and
  ///     its cell.
  /// - Returns: How many levels of nodes are below, which only the root stores.
  /// - Throws: ``PlaceStoreError`` `.damaged` if it is not a node.
  @discardableResult
  func forEachCell(
    ofNode number: Int64, overlapping window: CompactBox = .everything,
    _ body: (Int64, CircleCell) -> Void
  ) throws(PlaceStoreError) -> Int {
    nodeStatement.bind(number, at: 1)
    defer { nodeStatement.reset() }
    guard try nodeStatement.step(),
      let depth = nodeStatement.withBlob(0, { CircleCell.read($0, overlapping: window, body) })
    else {
      throw PlaceStoreError(
        code: .damaged, path: path,
        detail: "node \(number) of \(PlaceSchema.reachTree) cannot be read")
    }
    return depth
  }
}
