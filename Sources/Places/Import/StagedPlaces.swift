import Formats
import Geodesy

/// The rows of an import that are good, until they are written in a better order.
///
/// Some 70 bytes a row and its id are in memory while rows are added, all texts where there are many
/// in a file; ids are told apart here, without the store.
struct StagedPlaces {
  struct Row {
    var latitude: Double
    var longitude: Double
    var radiusMeters: Double
  }

  /// Where the id of a row is among those to tell apart.
  private struct IDPlace {
    var block: UInt32
    var start: UInt32
    var count: UInt32
    /// Whether eight bytes follow that tell what the row says.
    var hasContents: Bool
  }

  /// Ids of so many bytes are together: few enough that no long array is copied where it grows.
  private static let blockBytes = 1 << 20

  private(set) var rows: [Row] = []
  /// The ids once more, to tell them apart while rows are added.
  private var blocks: [[UInt8]] = []
  /// The block that is being filled, which follows the others.
  private var openBlock: [UInt8] = []
  private var idPlaces: [IDPlace] = []
  private var texts: TextSpool
  /// Row numbers + 1 by the hash of their ids, open addressing, with 32 bits of the hash above
  /// them, so that other rows' ids are hardly ever looked at; 0 is free.
  private var slots = [UInt64](repeating: 0, count: 1024)

  /// Makes an empty staging.
  ///
  /// - Parameter spoolPath: A name that a file may have for a moment; nil to keep all in memory.
  init(spoolPath: String?) {
    texts = TextSpool(path: spoolPath)
  }

  /// What became of a row, or which row of its id there is, which stays.
  enum Addition: Equatable {
    /// It is there.
    case kept
    /// A row that had the id itself.
    case hasOwnID
    /// A row that was given the id, and the hash of what it says.
    case hasContents(UInt64)
  }

  /// Adds a row whose fields have been judged, unless there is one of its id.
  ///
  /// - Parameters:
  ///   - draft: The row.
  ///   - coordinate: Where it is.
  ///   - radiusMeters: Its radius.
  ///   - contents: A hash of what it says, where its id was made for it; it is kept behind the id.
  /// - Returns: What became of it.
  /// - Throws: ``PlaceStoreError`` where a text cannot be laid down.
  mutating func add(
    _ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double,
    contents: UInt64? = nil
  ) throws(PlaceStoreError) -> Addition {
    let id = draft.range(.id)
    let hash = StagedPlaces.hash(draft.bytes.span.extracting(id)) & 0xFFFF_FFFF
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash,
        hasID(draft.bytes.span.extracting(id), row: Int(slots[slot] & 0xFFFF_FFFF) - 1)
      {
        return addition(ofRow: Int(slots[slot] & 0xFFFF_FFFF) - 1)
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = hash << 32 | UInt64(rows.count + 1)
    try appendRow(draft, coordinate, radiusMeters, contents)
    if rows.count * 2 > slots.count { growSlots() }
    return .kept
  }

  private mutating func appendRow(
    _ draft: borrowing PlaceDraft, _ coordinate: Coordinate, _ radiusMeters: Double,
    _ contents: UInt64?
  ) throws(PlaceStoreError) {
    if openBlock.count >= StagedPlaces.blockBytes {
      blocks.append(openBlock)
      openBlock = []
      openBlock.reserveCapacity(StagedPlaces.blockBytes + 4096)
    }
    rows.append(
      Row(
        latitude: coordinate.latitudeDegrees, longitude: coordinate.longitudeDegrees,
        radiusMeters: radiusMeters))
    let id = draft.range(.id)
    idPlaces.append(
      IDPlace(
        block: UInt32(blocks.count), start: UInt32(openBlock.count), count: UInt32(id.count),
        hasContents: contents != nil))
    openBlock.append(contentsOf: draft.bytes.span.extracting(id))
    if let contents {
      for shift in 0..<8 as Range<UInt64> {
        openBlock.append(UInt8(truncatingIfNeeded: contents >> (8 * shift)))
      }
    }
    try texts.append(
      [
        id, draft.range(.title), draft.range(.category), draft.range(.priority),
        draft.range(.published), draft.range(.expires), draft.range(.url), draft.range(.blurb),
      ], of: draft.bytes.span)
  }

  /// Ends adding and puts the rows into the order of packed trees.
  ///
  /// - Parameter capacity: How many cells a node holds.
  /// - Returns: The classes of radii, as ranges of rows.
  /// - Throws: ``PlaceStoreError``.
  mutating func arrange(capacity: Int) throws(PlaceStoreError) -> [Range<Int>] {
    try endAdding()
    let (order, groups) = TreeOrder.order(count: rows.count, capacity: capacity) { index in
      (rows[index].longitude, rows[index].latitude, rows[index].radiusMeters)
    }
    try arrange(order)
    return groups
  }

  /// An arranged row as the trees know it, its key being its number from 1.
  func entry(_ index: Int) -> TreeEntry {
    let row = rows[index]
    return TreeEntry(
      key: Int64(index + 1), longitude: row.longitude, latitude: row.latitude,
      radiusMeters: row.radiusMeters)
  }

  /// Frees what only adding rows needs, and makes the texts ready to be read.
  mutating func endAdding() throws(PlaceStoreError) {
    slots = []
    blocks = []
    openBlock = []
    idPlaces = []
    try texts.endAppending()
  }

  private mutating func arrange(_ order: consuming [TreeOrder.Item]) throws(PlaceStoreError) {
    try texts.arrange(order)
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

  /// Forgets all rows and frees their memory.
  mutating func removeAll() { self = StagedPlaces(spoolPath: nil) }

  /// Makes sure that a row's texts are in memory, after adding has ended.
  ///
  /// - Returns: The row and those that follow it whose texts are in memory too.
  /// - Throws: ``PlaceStoreError``.
  mutating func loadTexts(ofRow index: Int) throws(PlaceStoreError) -> Range<Int> {
    try texts.load(row: index)
  }

  /// Hands on bytes, which stay where they are meanwhile, with the texts that are in memory.
  ///
  /// - Parameter body: Takes the bytes; ``texts(ofRow:)`` tells where in them a row's texts are.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  func withTexts<Result, Failure: Error>(
    _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try texts.withBytes(body)
  }

  /// Hands on the id of a row whose texts are in memory.
  func withID<Result>(ofRow index: Int, _ body: (borrowing Span<UInt8>) -> Result) -> Result {
    texts.withBytes { bytes in
      var texts = texts.texts(ofRow: index)
      return body(bytes.extracting(texts.next(in: bytes)))
    }
  }

  /// Where the texts of a row are, which ``loadTexts(ofRow:)`` has brought into memory: id, title,
  /// category, priority, published, expires, url and blurb.
  func texts(ofRow index: Int) -> TextSpool.Texts { texts.texts(ofRow: index) }

  private func hasID(_ id: Span<UInt8>, row: Int) -> Bool {
    let place = idPlaces[row]
    guard Int(place.count) == id.count else { return false }
    let block = place.block < blocks.count ? blocks[Int(place.block)] : openBlock
    for index in id.indices where block[Int(place.start) + index] != id[index] { return false }
    return true
  }

  /// What a row is to another of its id.
  private func addition(ofRow row: Int) -> Addition {
    let place = idPlaces[row]
    guard place.hasContents else { return .hasOwnID }
    let block = place.block < blocks.count ? blocks[Int(place.block)] : openBlock
    let end = Int(place.start) + Int(place.count)
    return .hasContents(block[end..<(end + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) })
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
    // Two spots of one number are as good as impossible: 64 bits for a few million of them.
    var spots = StagedPlaces.candidates(
      rows.map { row in
        let spot = Coordinate(latitudeDegrees: row.latitude, longitudeDegrees: row.longitude)
          .canonical
        return StagedPlaces.mixed(
          StagedPlaces.mixed(spot.latitudeDegrees.bitPattern) ^ spot.longitudeDegrees.bitPattern)
      })
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

  /// Those of some well-mixed numbers that may be there more than once; to sort only them is cheaper.
  private static func candidates(_ numbers: [UInt64]) -> [UInt64] {
    // A bit for each of some 16 times as many values as there are numbers, and one where it is met again.
    let shift = max(0, numbers.count.leadingZeroBitCount - 4)
    var met = [UInt64](repeating: 0, count: 1 + Int((UInt64.max >> UInt64(shift)) >> 6))
    var metAgain = met
    func place(_ number: UInt64) -> (word: Int, bit: UInt64) {
      let value = number &>> UInt64(shift)
      return (Int(value &>> 6), 1 &<< (value & 63))
    }
    for number in numbers {
      let (word, bit) = place(number)
      metAgain[word] |= met[word] & bit
      met[word] |= bit
    }
    return numbers.filter { number in
      let (word, bit) = place(number)
      return metAgain[word] & bit != 0
    }
  }
}
