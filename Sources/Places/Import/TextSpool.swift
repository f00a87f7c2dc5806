import FencepostFiles
import FencepostFormats
import Glibc

/// The texts of staged rows: in memory while they are few, else in a temporary file with a window of it
/// in memory.
///
/// Append rows, call ``endAppending()`` and perhaps ``arrange(_:)``, then read, fastest in
/// ascending order. A temporary SQLite table takes half as much CPU time again, 0.5 s to fill with
/// a million rows and 1.2 s to read in another order; reading each row from the file by itself
/// takes a quarter more.
struct TextSpool {
  /// About how many bytes stay in memory: all of a small spool, or a window of the file.
  private static let windowBytes = 8 << 20
  /// How many bytes are gathered for a window before they are written.
  private static let portionBytes = 1 << 16

  private struct Window {
    var rows: Range<Int>
    var bytes: Range<Int>
  }

  /// A name for the file; nil if none can be made.
  private var path: String?
  private var file: SpoolFile?
  /// The bytes appended last, or those of the window.
  private(set) var memory: [UInt8] = []
  /// How many bytes precede those in memory.
  private var memoryStart = 0
  /// Where the texts of each row begin.
  private var offsets: [Int] = []
  private var windows: [Window] = []
  private var window = 0

  /// Makes an empty spool.
  ///
  /// - Parameter path: A name that the file has briefly; nil to keep everything in memory.
  init(path: String?) {
    self.path = path
  }

  // MARK: Appending

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - texts: The row's texts, as ranges of the bytes.
  ///   - bytes: What contains them.
  /// - Throws: ``PlaceStoreError`` if the file cannot be written.
  mutating func append(
    _ texts: InlineArray<8, Range<Int>>, of bytes: Span<UInt8>
  ) throws(PlaceStoreError) {
    if memory.count >= TextSpool.windowBytes, let path {
      if file == nil { file = SpoolFile(path: path) }
      // If no file can be made, neither can the store, which reports it.
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

  /// Makes the texts ready to be read in the order in which they were appended, unless they are.
  mutating func endAppending() throws(PlaceStoreError) {
    guard windows.isEmpty else { return }
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
      while end < rows.count, offsets[end] - offsets[start] < TextSpool.windowBytes { end += 1 }
      let endByte = end < rows.count ? offsets[end] : byteCount
      windows.append(Window(rows: start..<end, bytes: offsets[start]..<endByte))
      start = end
    }
    try load(0)
  }

  // MARK: Order

  /// Reorders the rows, in the file too, so that a window has all texts of consecutive rows.
  ///
  /// - Parameter order: The present number of each row of the new order.
  /// - Complexity: O(n); each byte of the file is read and written once.
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
    for (number, window) in windows.enumerated() {
      try load(number)
      for row in window.rows {
        let end = row + 1 < window.rows.upperBound ? offsets[row + 1] : window.bytes.upperBound
        let text = (offsets[row] - memoryStart)..<(end - memoryStart)
        let target = Int(rank[row]) / rowsPerWindow
        places[Int(rank[row])] = portions[target].end
        portions[target].bytes.append(contentsOf: memory.span.extracting(text))
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

  /// The texts of a new window as they are gathered.
  private struct Portion {
    /// The window in the file.
    var allBytes: Range<Int>
    var bytes: [UInt8] = []
    var written = 0

    /// Where the next text goes in the file.
    var end: Int { allBytes.lowerBound + written + bytes.count }

    mutating func flush(to file: SpoolFile) throws(PlaceStoreError) {
      try file.write(bytes.span, at: allBytes.lowerBound + written)
      written += bytes.count
      // With long texts there are many portions, and each would keep the room of one.
      bytes.removeAll(keepingCapacity: bytes.capacity <= TextSpool.portionBytes)
    }
  }

  /// The windows of the new order, laid out in the file.
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

  /// Brings a row's texts into ``memory``.
  ///
  /// - Returns: The row and those after it whose texts are in memory too.
  /// - Throws: ``PlaceStoreError`` if the file cannot be read.
  mutating func load(row: Int) throws(PlaceStoreError) -> Range<Int> {
    if !windows[window].rows.contains(row) {
      try load(windows.firstIndex { $0.rows.contains(row) } ?? 0)
    }
    return row..<windows[window].rows.upperBound
  }

  /// Where the texts of a row begin in ``memory``.
  func texts(ofRow row: Int) -> Texts { Texts(offset: offsets[row] - memoryStart) }

  private mutating func load(_ number: Int) throws(PlaceStoreError) {
    window = number
    guard let file else { return }
    try file.read(windows[number].bytes, into: &memory)
    memoryStart = windows[number].bytes.lowerBound
  }

  /// The texts of a row: id, title, category, priority, published, expires, url and blurb.
  struct Texts {
    fileprivate var offset: Int

    /// The next text, as a range of ``TextSpool/memory``.
    mutating func next(in bytes: Span<UInt8>) -> Range<Int> {
      var length = 0
      var shift = 0
      var byte: UInt8
      repeat {
        byte = bytes[offset]
        offset += 1
        length |= Int(byte & 0x7F) << shift
        shift += 7
      } while byte >= 0x80
      defer { offset += length }
      return offset..<(offset + length)
    }
  }
}

/// A file without a name, which is freed when it is closed, however the program ends.
private final class SpoolFile {
  private let path: String
  private let descriptor: Int32

  /// Makes an empty file, or nil if none can be made.
  ///
  /// - Parameter path: An unused name, which the file has briefly.
  init?(path: String) {
    self.path = path
    // The name is there until the calls return.
    descriptor = unsafe open(path.fileNameBytes, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    unsafe _ = unlink(path.fileNameBytes)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws(PlaceStoreError) {
    var start = 0
    while start < bytes.count {
      // The span holds the bytes until the call returns.
      let count = unsafe bytes.extracting(start...).withUnsafeBufferPointer {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + start))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PlaceStoreError(systemCode: errno, path: path) }
      start += count
    }
  }

  /// Replaces the contents of a buffer with a range of the file's bytes.
  func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(PlaceStoreError) {
    bytes.removeAll(keepingCapacity: true)
    while bytes.count < range.count {
      let offset = range.lowerBound + bytes.count
      var received = 0
      bytes.append(addingCapacity: range.count - bytes.count) { output in
        // The system writes at most as many bytes as there is room for, and says how many.
        unsafe output.withUnsafeMutableBufferPointer { storage, count in
          received = unsafe pread(
            descriptor, storage.baseAddress, min(storage.count, range.upperBound - offset),
            off_t(offset))
          count = max(0, received)
        }
      }
      if received < 0, errno == EINTR { continue }
      guard received > 0 else {
        throw PlaceStoreError(systemCode: received < 0 ? errno : EIO, path: path)
      }
    }
  }
}
