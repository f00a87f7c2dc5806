import Formats
import Geodesy

/// The rows of an import that are good, in memory until they are written in a better order.
///
/// Some 70 bytes a row beside its text; ids are told apart here, without the store.
struct StagedPlaces {
  struct Row {
    var latitude: Double
    var longitude: Double
    var radiusMeters: Double
    /// Where the row's texts begin: the block's number and the offset in it.
    fileprivate var block: UInt32
    fileprivate var offset: UInt32
  }

  /// The texts of a row, in the order they are kept.
  static let textFields: [PlaceDraft.Field] = [
    .id, .title, .blurb, .url, .category, .priority, .published, .expires,
  ]
  private static let blockBytes = 1 << 20

  private(set) var rows: [Row] = []
  private var blocks: [[UInt8]] = []
  /// Row numbers + 1 by the hash of their ids, open addressing, with 32 bits of the hash above
  /// them, so that other rows' ids are hardly ever looked at; 0 is free.
  private var slots = [UInt64](repeating: 0, count: 1024)

  /// Adds a row whose fields have been judged.
  ///
  /// - Returns: False when there is a row of that id, which stays.
  mutating func add(
    _ draft: PlaceDraft, coordinate: Coordinate, radiusMeters: Double
  ) -> Bool {
    let id = draft[.id]
    let hash = StagedPlaces.hash(id.span) & 0xFFFF_FFFF
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash, hasID(id, row: Int(slots[slot] & 0xFFFF_FFFF) - 1) {
        return false
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = hash << 32 | UInt64(rows.count + 1)
    appendRow(draft, coordinate, radiusMeters)
    if rows.count * 2 > slots.count { growSlots() }
    return true
  }

  private mutating func appendRow(
    _ draft: PlaceDraft, _ coordinate: Coordinate, _ radiusMeters: Double
  ) {
    if (blocks.last?.count ?? .max) >= StagedPlaces.blockBytes {
      blocks.append([])
      blocks[blocks.count - 1].reserveCapacity(StagedPlaces.blockBytes + 4096)
    }
    let block = blocks.count - 1
    rows.append(
      Row(
        latitude: coordinate.latitudeDegrees, longitude: coordinate.longitudeDegrees,
        radiusMeters: radiusMeters, block: UInt32(block), offset: UInt32(blocks[block].count)))
    for field in StagedPlaces.textFields {
      let text = draft[field]
      StagedPlaces.appendLength(text.count, to: &blocks[block])
      blocks[block].append(contentsOf: text.span)
    }
  }

  /// Puts the rows into the order they will be written in, after which none can be added.
  mutating func arrange(_ order: consuming [TreeOrder.Item]) {
    // Cycle by cycle in place; an item whose row has come is made to point to itself.
    for start in rows.indices {
      let first = rows[start]
      var target = start
      while true {
        let source = Int(order[target].index)
        order[target].index = UInt32(target)
        guard source != start else { break }
        rows[target] = rows[source]
        target = source
      }
      rows[target] = first
    }
  }

  /// Frees what only adding rows needs.
  mutating func endAdding() {
    slots = []
  }

  /// The id of a row.
  func id(ofRow index: Int) -> ArraySlice<UInt8> {
    let block = blocks[Int(rows[index].block)]
    var offset = Int(rows[index].offset)
    let length = StagedPlaces.length(in: block.span, at: &offset)
    return block[offset..<(offset + length)]
  }

  /// Hands on where the texts of a row are among the bytes of its block, in the order of
  /// ``textFields``.
  ///
  /// - Parameters:
  ///   - index: Which row.
  ///   - body: Takes the block, which stays where it is meanwhile, and the row's texts.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  func withTexts<Result, Failure: Error>(
    ofRow index: Int,
    _ body: (UnsafeBufferPointer<UInt8>, inout Texts) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var texts = Texts(offset: Int(rows[index].offset))
    // The bytes belong to the block, which nobody changes while the closure runs.
    return try unsafe blocks[Int(rows[index].block)].withUnsafeBufferPointer {
      (bytes) throws(Failure) in
      try unsafe body(bytes, &texts)
    }
  }

  /// The texts of a row, one after the other.
  struct Texts {
    fileprivate var offset: Int

    /// Where the next text is in the bytes of the block.
    mutating func next(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
      // The bytes are there until the closure returns that `withTexts` has lent them to.
      let length = StagedPlaces.length(in: unsafe bytes.span, at: &offset)
      defer { offset += length }
      return offset..<(offset + length)
    }
  }

  private func hasID(_ id: [UInt8], row: Int) -> Bool {
    let block = blocks[Int(rows[row].block)]
    let bytes = block.span
    var offset = Int(rows[row].offset)
    let length = StagedPlaces.length(in: bytes, at: &offset)
    guard length == id.count else { return false }
    for index in 0..<length where bytes[offset + index] != id[index] { return false }
    return true
  }

  private mutating func growSlots() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 {
      var slot = Int(entry >> 32) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }

  // Lengths are kept in groups of 7 bits, the least first.
  private static func appendLength(_ length: Int, to bytes: inout [UInt8]) {
    var rest = length
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  fileprivate static func length(in bytes: Span<UInt8>, at offset: inout Int) -> Int {
    var length = Int(bytes[offset])
    offset += 1
    if length < 0x80 { return length }
    length &= 0x7F
    var shift = 7
    while true {
      let byte = bytes[offset]
      offset += 1
      length |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return length }
      shift += 7
    }
  }

  /// The FNV-1a hash of 64 bits, with its high bits folded into the low.
  static func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    return hash ^ (hash >> 29)
  }
}

extension StagedPlaces {
  /// Spreads the bits of a number over all of another, one to one (the finishing step of
  /// SplitMix64).
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// How many rows share their exact spot with another, and how many the fullest spot has.
  func sharedSpots() -> (places: Int, largestGroup: Int) {
    var spots = rows.map { row in
      let spot = Coordinate(latitudeDegrees: row.latitude, longitudeDegrees: row.longitude)
        .onePerSpot
      return StagedPlaces.mixed(
        StagedPlaces.mixed(spot.latitudeDegrees.bitPattern) ^ spot.longitudeDegrees.bitPattern)
    }
    // Two spots of one number are as good as impossible: 64 bits for a few million of them.
    spots.sort()
    var places = 0
    var largest = 0
    var start = 0
    while start < spots.count {
      var end = start + 1
      while end < spots.count, spots[end] == spots[start] { end += 1 }
      if end - start > 1 {
        places += end - start
        largest = max(largest, end - start)
      }
      start = end
    }
    return (places, largest)
  }
}
