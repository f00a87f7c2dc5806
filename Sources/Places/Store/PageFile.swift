import Formats
import Glibc

/// The file of a database to which pages are added without SQLite, in its documented format
/// ("Database File Format", sqlite.org/fileformat2.html).
///
/// For a database that nobody else can know yet: there is no journal and no lock. SQLite notices the
/// change by the header when its next transaction begins.
struct PageFile: ~Copyable {
  /// How many bytes a page has.
  let pageBytes: Int
  private let path: String
  private let descriptor: Int32
  private var header: [UInt8]
  /// The number of the page that is added next.
  private(set) var nextNumber: UInt32
  /// How many pages the file has, with those not written yet.
  private var pageCount: UInt32
  /// Pages that are not in the file yet, the first of them being that of this number.
  private var buffer: [UInt8] = []
  private var bufferNumber: UInt32

  private static let bufferBytes = 1 << 20
  /// The byte that SQLite locks; the page around it is never used.
  private static let lockByte = 0x4000_0000

  /// Opens the file.
  ///
  /// - Parameter path: Its path; no transaction may be open.
  /// - Throws: ``PlaceStoreError``.
  init(path: String) throws(PlaceStoreError) {
    // Names and buffers are there until the calls return.
    descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw PlaceStoreError(systemCode: errno, path: path) }
    self.path = path
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    if count != bytes.count { bytes = [UInt8](repeating: 0, count: bytes.count) }
    header = bytes
    pageBytes = Int(bytes[16]) << 8 | Int(bytes[17])
    pageCount = PageFile.number(in: bytes, at: 28)
    nextNumber = pageCount + 1
    bufferNumber = nextNumber
  }

  deinit { close(descriptor) }

  /// Whether the file is as plain as the pages that are added here: a rollback journal, no bytes
  /// reserved in a page, no map of pointers, text in UTF-8, and all pages where the header says.
  var isPlain: Bool {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe fstat(descriptor, &status) == 0, pageBytes >= 512, pageCount > 0 else {
      return false
    }
    return Int(status.st_size) == Int(pageCount) * pageBytes && header[18] == 1
      && header[19] == 1 && header[20] == 0 && PageFile.number(in: header, at: 52) == 0
      && PageFile.number(in: header, at: 56) == 1
  }

  /// The first byte of a page, which tells its kind.
  func kind(ofPage number: UInt32) -> UInt8? {
    var byte: UInt8 = 0
    let offset = off_t(number - 1) * off_t(pageBytes)
    return unsafe pread(descriptor, &byte, 1, offset) == 1 ? byte : nil
  }

  /// Adds a page.
  ///
  /// - Parameter page: Its bytes, all of them.
  /// - Returns: Its number, ``nextNumber`` until now.
  /// - Throws: ``PlaceStoreError``.
  mutating func append(_ page: Span<UInt8>) throws(PlaceStoreError) -> UInt32 {
    precondition(page.count == pageBytes)
    let number = nextNumber
    buffer.append(contentsOf: page)
    pageCount = number
    nextNumber = self.number(behind: number)
    // A page that is left out parts what is written in one go.
    if buffer.count >= PageFile.bufferBytes || nextNumber != number + 1 { try flush() }
    return number
  }

  /// The number of the page that is added after that of another.
  func number(behind number: UInt32) -> UInt32 {
    number + (Int(number) == PageFile.lockByte / pageBytes ? 2 : 1)
  }

  /// Replaces a page that was there before.
  mutating func replace(_ number: UInt32, by page: Span<UInt8>) throws(PlaceStoreError) {
    precondition(page.count == pageBytes && number > 1)
    try write(page, at: Int(number - 1) * pageBytes)
  }

  /// Writes what is left, and the header that makes it part of the database.
  mutating func finish() throws(PlaceStoreError) {
    try flush()
    let counter = PageFile.number(in: header, at: 24) &+ 1
    for (value, offset) in [(counter, 24), (pageCount, 28), (counter, 92)] {
      for index in 0..<4 {
        header[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index))
      }
    }
    try write(header.span, at: 0)
  }

  private mutating func flush() throws(PlaceStoreError) {
    try write(buffer.span, at: Int(bufferNumber - 1) * pageBytes)
    buffer.removeAll(keepingCapacity: true)
    bufferNumber = nextNumber
  }

  private func write(_ bytes: Span<UInt8>, at offset: Int) throws(PlaceStoreError) {
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

  private static func number(in header: [UInt8], at offset: Int) -> UInt32 {
    header[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
