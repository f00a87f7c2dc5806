import Formats

/// The texts of staged rows: in memory as long as they are few, else in a file, of which a window is
/// in memory.
///
/// First texts are appended, row by row; after ``endAppending()``, and perhaps ``arrange(_:)``, they
/// are read, fastest in ascending order of the rows.
struct TextSpool {
  /// Up to so many bytes stay in memory; a window of the file has about as many.
  private let windowBytes: Int
  /// What is gathered for a window before it goes to the file.
  private static let portionBytes = 1 << 16

  private struct Window {
    var rows: Range<Int>
    var bytes: Range<Int>
  }

  /// Where the file may be made; nil where it cannot.
  private var path: String?
  private var file: SpoolFile?
  /// The bytes that were appended last, or those of the window.
  private var memory: [UInt8] = []
  /// How many bytes are before those in memory.
  private var memoryStart = 0
  /// Where the texts of each row begin.
  private var offsets: [Int] = []
  private var windows: [Window] = []
  private var window = 0

  /// Makes an empty spool.
  ///
  /// - Parameters:
  ///   - path: A name that a file may have for a moment; nil to keep all in memory.
  ///   - windowBytes: How many bytes are kept in memory, about.
  init(path: String?, windowBytes: Int = 8 << 20) {
    self.path = path
    self.windowBytes = windowBytes
  }

  // MARK: Appending

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - texts: Where the row's texts are.
  ///   - bytes: What they are in.
  /// - Throws: ``PlaceStoreError`` where the file cannot be written.
  mutating func append(
    _ texts: InlineArray<8, Range<Int>>, of bytes: Span<UInt8>
  ) throws(PlaceStoreError) {
    if memory.count >= windowBytes, let path {
      if file == nil { file = SpoolFile(path: path) }
      // Where no file can be made the store will not be made either, which is said then.
      if file == nil { self.path = nil } else { try flush() }
    }
    offsets.append(memoryStart + memory.count)
    var room = 0
    for index in texts.indices { room += texts[index].count + TextSpool.longestLength }
    memory.append(addingCapacity: room) { output in
      for index in texts.indices {
        let text = texts[index]
        // The length comes first, in groups of 7 bits, the least first.
        var rest = text.count
        while rest >= 0x80 {
          output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
          rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
        output.append(bytes.extracting(text))
      }
    }
  }

  /// How many bytes a text's length has at most: 63 bits in groups of 7.
  private static let longestLength = 9

  private mutating func flush() throws(PlaceStoreError) {
    try file?.write(memory.span, at: memoryStart)
    memoryStart += memory.count
    memory.removeAll(keepingCapacity: true)
  }

  /// Makes the texts ready to be read, in the order in which they were appended.
  mutating func endAppending() throws(PlaceStoreError) {
    let rows = offsets.indices
    guard file != nil else {
      windows = [Window(rows: rows, bytes: 0..<memory.count)]
      return
    }
    try flush()
    let byteCount = memoryStart
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, offsets[end] - offsets[start] < windowBytes { end += 1 }
      let endByte = end < rows.count ? offsets[end] : byteCount
      windows.append(Window(rows: start..<end, bytes: offsets[start]..<endByte))
      start = end
    }
    try load(0)
  }

  // MARK: Order

  /// Brings the rows into another order, in the file too, so that a window has all texts of some
  /// rows that follow each other.
  ///
  /// - Parameter order: The present number of each row of the new order.
  /// - Complexity: O(n); each byte in the file is read and written once.
  /// - Throws: ``PlaceStoreError``.
  mutating func arrange(_ order: [TreeOrder.Item]) throws(PlaceStoreError) {
    guard let path, file != nil else {
      offsets = order.map { offsets[Int($0.index)] }
      return
    }
    guard let arranged = SpoolFile(path: path) else {
      throw PlaceStoreError(code: .inputOutput, path: path, detail: "a second file cannot be made")
    }
    let rowsPerWindow = max(1, (order.count + windows.count - 1) / windows.count)
    var rank = [UInt32](repeating: 0, count: order.count)
    for (position, item) in order.enumerated() { rank[Int(item.index)] = UInt32(position) }
    var portions = arrangedWindows(rank, rowsPerWindow: rowsPerWindow)
    var places = [Int](repeating: 0, count: order.count)
    for number in windows.indices {
      try load(number)
      let (rows, bytes) = (windows[number].rows, windows[number].bytes)
      for row in rows {
        let end = row + 1 < rows.upperBound ? offsets[row + 1] : bytes.upperBound
        let text = (offsets[row] - bytes.lowerBound)..<(end - bytes.lowerBound)
        let target = Int(rank[row]) / rowsPerWindow
        places[Int(rank[row])] = portions[target].end
        portions[target].append(memory.span.extracting(text))
        if portions[target].bytes.count >= TextSpool.portionBytes {
          try portions[target].flush(to: arranged)
        }
      }
    }
    windows.removeAll()
    for index in portions.indices {
      try portions[index].flush(to: arranged)
      let start = index * rowsPerWindow
      windows.append(
        Window(
          rows: start..<min(order.count, start + rowsPerWindow), bytes: portions[index].allBytes))
    }
    file = arranged
    offsets = places
    try load(0)
  }

  /// The texts of a window as they gather.
  private struct Portion {
    /// The window's place in the file.
    var allBytes: Range<Int>
    var bytes: [UInt8] = []
    var written = 0

    /// Where in the file the next text comes.
    var end: Int { allBytes.lowerBound + written + bytes.count }

    mutating func append(_ text: Span<UInt8>) { bytes.append(contentsOf: text) }

    mutating func flush(to file: SpoolFile) throws(PlaceStoreError) {
      try file.write(bytes.span, at: allBytes.lowerBound + written)
      written += bytes.count
      // There may be as many portions as long texts, and each would keep the room of one.
      bytes.removeAll(keepingCapacity: bytes.capacity <= TextSpool.portionBytes)
    }
  }

  /// Where each window of the new order stands in the file.
  private func arrangedWindows(_ rank: [UInt32], rowsPerWindow: Int) -> [Portion] {
    var counts = [Int](repeating: 0, count: (rank.count + rowsPerWindow - 1) / rowsPerWindow)
    for window in windows {
      for row in window.rows {
        let end = row + 1 < window.rows.upperBound ? offsets[row + 1] : window.bytes.upperBound
        counts[Int(rank[row]) / rowsPerWindow] += end - offsets[row]
      }
    }
    var start = 0
    return counts.map { count in
      defer { start += count }
      return Portion(allBytes: start..<(start + count))
    }
  }

  // MARK: Reading

  /// Makes sure that a row's texts are in memory.
  ///
  /// - Returns: The row and those that follow it whose texts are in memory too.
  /// - Throws: ``PlaceStoreError`` where the file cannot be read.
  mutating func load(row: Int) throws(PlaceStoreError) -> Range<Int> {
    if !windows[window].rows.contains(row) {
      try load(windows.firstIndex { $0.rows.contains(row) } ?? 0)
    }
    return row..<windows[window].rows.upperBound
  }

  /// Hands on the bytes that are in memory, which stay where they are meanwhile.
  func withBytes<Result, Failure: Error>(
    _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(memory.span)
  }

  /// Where the texts of a row in memory begin.
  func texts(ofRow row: Int) -> Texts { Texts(offset: offsets[row] - memoryStart) }

  private mutating func load(_ number: Int) throws(PlaceStoreError) {
    window = number
    guard let file else { return }
    try file.read(windows[number].bytes, into: &memory)
    memoryStart = windows[number].bytes.lowerBound
  }

  /// The texts of a row, one after the other.
  struct Texts {
    fileprivate var offset: Int

    /// Where the next text is in the bytes.
    @inline(__always)
    mutating func next(in bytes: Span<UInt8>) -> Range<Int> {
      var length = Int(bytes[offset])
      offset += 1
      if length >= 0x80 {
        length &= 0x7F
        var shift = 7
        var byte: UInt8
        repeat {
          byte = bytes[offset]
          offset += 1
          length |= Int(byte & 0x7F) << shift
          shift += 7
        } while byte >= 0x80
      }
      defer { offset += length }
      return offset..<(offset + length)
    }
  }
}
