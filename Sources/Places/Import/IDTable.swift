import FencepostFormats

/// Finds rows with the same id, without the store.
struct IDTable {
  /// Whether an id is new, or how an earlier row got it.
  enum Addition: Equatable {
    /// The id is new.
    case kept
    /// A row has the id as its own.
    case hasOwnID
    /// The id was derived for a row; the hash is that of its other fields.
    case hasContents(UInt64)
  }

  private struct Entry {
    var block: UInt32
    var start: UInt32
    var count: UInt32
    /// Whether the eight bytes of the contents' hash follow the id.
    var hasContents: Bool
  }

  /// Ids share blocks of about this size: small enough that no long array is copied as it grows.
  private static let blockBytes = 1 << 20

  private var blocks: [[UInt8]] = []
  private var entries: [Entry] = []
  /// Entry numbers + 1 by the hash of their ids, open addressing; 0 is free.
  ///
  /// The upper half holds 32 bits of the hash, so that different ids are hardly ever compared.
  private var slots = [UInt64](repeating: 0, count: 1024)

  /// Adds an id unless it is there.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - contents: If the id was derived, a hash of the row's other fields.
  /// - Returns: Whether the id was added.
  mutating func add(_ id: Span<UInt8>, contents: UInt64? = nil) -> Addition {
    let hash = IDTable.hash(id) & 0xFFFF_FFFF
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot] & 0xFFFF_FFFF) - 1]
      if slots[slot] >> 32 == hash, isEqual(entry, id) { return addition(entry) }
      slot = (slot + 1) & (slots.count - 1)
    }
    append(id, contents)
    slots[slot] = hash << 32 | UInt64(entries.count)
    if entries.count * 2 > slots.count { growSlots() }
    return .kept
  }

  private mutating func append(_ id: Span<UInt8>, _ contents: UInt64?) {
    if blocks.last.map({ $0.count >= IDTable.blockBytes }) ?? true {
      blocks.append([])
      blocks[blocks.count - 1].reserveCapacity(IDTable.blockBytes + 4096)
    }
    let block = blocks.count - 1
    entries.append(
      Entry(
        block: UInt32(block), start: UInt32(blocks[block].count), count: UInt32(id.count),
        hasContents: contents != nil))
    blocks[block].append(contentsOf: id)
    guard let contents else { return }
    for shift in stride(from: 0, to: 64, by: 8) {
      blocks[block].append(UInt8(truncatingIfNeeded: contents >> shift))
    }
  }

  private func isEqual(_ entry: Entry, _ id: Span<UInt8>) -> Bool {
    guard Int(entry.count) == id.count else { return false }
    for index in id.indices
    where blocks[Int(entry.block)][Int(entry.start) + index] != id[index] { return false }
    return true
  }

  private func addition(_ entry: Entry) -> Addition {
    guard entry.hasContents else { return .hasOwnID }
    let bytes = blocks[Int(entry.block)].dropFirst(Int(entry.start + entry.count)).prefix(8)
    return .hasContents(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
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

  /// The 64-bit FNV-1a hash, with its high bits folded into the low.
  static func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    return hash ^ (hash >> 29)
  }
}
