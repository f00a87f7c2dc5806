import FencepostFormats
package import FencepostGeodesy

/// Where the accepted rows of a list go, such as a table of a store.
///
/// Rows are only appended, and those of a draft cannot be changed later.
package protocol PlaceTable: AnyObject {
  /// Appends a checked row, whose texts are those of a draft.
  func append(_ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double)
  /// The id and the title of a row, counted from 0.
  func texts(ofRow row: Int) -> (id: String, title: String)
}

/// The accepted rows of a list: adds each to a table once, and remembers what later steps need of
/// them.
package struct StagedPlaces {
  /// Where a row stands, in little memory: the number of its file and its line.
  ///
  /// ``ImportReport/Position`` is the same in words.
  package struct Origin: Equatable {
    /// The number of the file, from 0, and the line or row in it, from 1.
    var file: UInt32
    var line: UInt32
  }

  /// What is remembered of an accepted row, so that rows can be compared with each other.
  package struct Row {
    /// The checked position.
    package var coordinate: Coordinate
    var origin: Origin
  }

  /// Whether a row was kept, or how an earlier row with its id got that id.
  ///
  /// The caller refuses a repeated id, gives a derived one a number, or passes over a row that
  /// repeats another entirely.
  package enum Addition: Equatable {
    /// The row was kept, or an earlier row states the same id.
    case kept, hasOwnID
    /// An earlier row got the same id from its title and position; with a hash of its other fields.
    case isDerived(contents: UInt64, Origin)
  }

  /// The rows; the key of each in the table is its position here, from 1.
  package private(set) var rows: [Row] = []
  /// For each row whose id was derived, a hash of its other fields.
  private var contents: [UInt32: UInt64] = [:]
  private var ids = IDTable()
  /// The id found last, and its row: where one repeats, it often does so in row after row.
  private var repeated: (id: String, row: UInt32)?
  private let table: any PlaceTable

  /// Writes into an empty table.
  package init(_ table: any PlaceTable) { self.table = table }

  /// Adds a checked row unless an earlier one has its id.
  ///
  /// `contents` is a hash of the other fields if the id was derived.
  @discardableResult
  package mutating func add(
    _ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double,
    origin: Origin = Origin(file: 0, line: 0), contents: UInt64? = nil
  ) -> Addition {
    let id = draft.text(.id)
    if repeated?.id != id {
      let row = ids.add(id, row: UInt32(rows.count)) { table.texts(ofRow: Int($0)).id == id }
      repeated = row.map { (id, $0) }
    }
    if let row = repeated?.row {
      guard let contents = self.contents[row] else { return .hasOwnID }
      return .isDerived(contents: contents, rows[Int(row)].origin)
    }
    table.append(draft, coordinate: coordinate, radiusMeters: radiusMeters)
    if let contents { self.contents[UInt32(rows.count)] = contents }
    rows.append(Row(coordinate: coordinate, origin: origin))
    return .kept
  }

  /// Frees what only adding needs.
  mutating func endAdding() {
    (ids, contents) = (IDTable(), [:])
  }

  /// The title of a row, from 0, as the table has it.
  func title(ofRow row: Int) -> String { table.texts(ofRow: row).title }

  /// A number below `count`, the same for equal positions.
  private static func slot(_ coordinate: Coordinate, of count: Int) -> Int {
    let spot = coordinate.canonical
    // Adding 0 turns -0 into 0.
    let bits =
      (spot.latitudeDegrees + 0).bitPattern &* 0x9E37_79B9_7F4A_7C15
      ^ (spot.longitudeDegrees + 0).bitPattern &* 0xC2B2_AE3D_27D4_EB4F
    let mixed = (bits ^ (bits >> 32)) &* 0x9E37_79B9_7F4A_7C15
    return Int(((mixed >> 32) * UInt64(count)) >> 32)
  }

  /// The first rows at one position, and how many there are.
  struct SharedPosition {
    var rows: [Int] = []
    var count = 0
  }

  /// How many rows share their exact position, at how many positions, and the first of these.
  func sharedPositions() -> (places: Int, positions: Int, first: [SharedPosition]) {
    // Most positions are on their own. A dictionary of all would take a twelfth of an import.
    var slots = [UInt8](repeating: 0, count: rows.count * 8)
    for row in rows {
      let slot = Self.slot(row.coordinate, of: slots.count)
      slots[slot] = min(slots[slot] + 1, 2)
    }
    var counts: [Coordinate: Int] = [:]
    for row in rows where slots[Self.slot(row.coordinate, of: slots.count)] > 1 {
      counts[row.coordinate.canonical, default: 0] += 1
    }
    counts = counts.filter { $0.value > 1 }
    guard !counts.isEmpty else { return (0, 0, []) }
    var order: [Coordinate] = []
    var first: [Coordinate: SharedPosition] = [:]
    for (index, row) in rows.enumerated() {
      let spot = row.coordinate.canonical
      guard let count = counts[spot] else { continue }
      if first[spot] == nil {
        guard order.count < 3 else { continue }
        order.append(spot)
        first[spot] = SharedPosition(count: count)
      }
      if let rows = first[spot]?.rows, rows.count < 3 { first[spot]?.rows.append(index) }
    }
    let places = counts.values.reduce(0, +)
    return (places, counts.count, order.compactMap { first[$0] })
  }
}

/// Finds the rows of ids by their hashes, in less memory than a dictionary.
private struct IDTable {
  /// A row and half of its id's hash; the row is `.max` in an empty slot, as half of them are.
  private var slots: [(hash: UInt32, row: UInt32)] = []
  private var count = 0

  /// Adds a row, or returns the earlier one with its id, which `hasID` recognizes.
  mutating func add(
    _ id: String, row: UInt32, hasID: (UInt32) -> Bool
  ) -> UInt32? {
    if count >= slots.count / 2 { grow() }
    let hash = UInt32(truncatingIfNeeded: id.hashValue)
    var index = first(hash)
    while slots[index].row != .max {
      if slots[index].hash == hash, hasID(slots[index].row) { return slots[index].row }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = (hash, row)
    count += 1
    return nil
  }

  /// The hash's upper bits choose the slot, so that a table twice as large keeps the order.
  private func first(_ hash: UInt32) -> Int {
    Int((UInt64(hash) * UInt64(slots.count)) >> 32)
  }

  /// Doubles the table, so that at most half of the slots are taken.
  private mutating func grow() {
    let old = slots
    slots = Array(repeating: (0, .max), count: max(64, 2 * old.count))
    for slot in old where slot.row != .max {
      var index = first(slot.hash)
      while slots[index].row != .max { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }
}
