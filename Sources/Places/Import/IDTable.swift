import FencepostFormats

/// Finds rows with the same id, without the store.
struct IDTable {
  /// Whether an id is new, or how an earlier row got it.
  enum Addition: Equatable {
    /// The id is new.
    case kept
    /// A row has the id as its own.
    case hasOwnID
    /// The id was derived for a row.
    case isDerived(Derived)
  }

  /// A row whose id was derived.
  struct Derived: Equatable {
    /// A hash of its other fields.
    var contents: UInt64
    /// Where it is.
    var origin: Origin
  }

  /// Where a row begins.
  struct Origin: Equatable {
    /// The number of its file, from 0.
    var file: UInt32
    /// The line, from 1.
    var line: UInt32
  }

  private struct Entry {
    var block: UInt32
    var start: UInt32
    var count: UInt32
    /// Whether the sixteen bytes of a ``Derived`` follow the id.
    var isDerived: Bool
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
  ///   - derived: If the id was derived, the row.
  /// - Returns: Whether the id was added.
  mutating func add(_ id: Span<UInt8>, derived: Derived? = nil) -> Addition {
    let hash = IDTable.hash(id) & 0xFFFF_FFFF
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot] & 0xFFFF_FFFF) - 1]
      if slots[slot] >> 32 == hash, isEqual(entry, id) { return addition(entry) }
      slot = (slot + 1) & (slots.count - 1)
    }
    append(id, derived)
    slots[slot] = hash << 32 | UInt64(entries.count)
    if entries.count * 2 > slots.count { growSlots() }
    return .kept
  }

  private mutating func append(_ id: Span<UInt8>, _ derived: Derived?) {
    if blocks.last.map({ $0.count >= IDTable.blockBytes }) ?? true {
      blocks.append([])
      blocks[blocks.count - 1].reserveCapacity(IDTable.blockBytes + 4096)
    }
    let block = blocks.count - 1
    entries.append(
      Entry(
        block: UInt32(block), start: UInt32(blocks[block].count), count: UInt32(id.count),
        isDerived: derived != nil))
    blocks[block].append(contentsOf: id)
    guard let derived else { return }
    let origin = UInt64(derived.origin.file) << 32 | UInt64(derived.origin.line)
    for word in [derived.contents, origin] {
      for shift in stride(from: 0, to: 64, by: 8) {
        blocks[block].append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
  }

  private func isEqual(_ entry: Entry, _ id: Span<UInt8>) -> Bool {
    guard Int(entry.count) == id.count else { return false }
    for index in id.indices
    where blocks[Int(entry.block)][Int(entry.start) + index] != id[index] { return false }
    return true
  }

  private func addition(_ entry: Entry) -> Addition {
    guard entry.isDerived else { return .hasOwnID }
    let bytes = blocks[Int(entry.block)].dropFirst(Int(entry.start + entry.count)).prefix(16)
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let origin = word(bytes.suffix(8))
    return .isDerived(
      Derived(
        contents: word(bytes.prefix(8)),
        origin: Origin(file: UInt32(origin >> 32), line: UInt32(truncatingIfNeeded: origin))))
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
