import FencepostFiles
import FencepostFormats

/// The body of a message, decompressed and parsed once.
struct PostBody {
  /// The decompressed bytes, up to the first damage; empty if over the limit.
  private(set) var bytes: [UInt8]
  /// Why the body could not be decompressed completely, as a sentence.
  private(set) var failure: String?
  private(set) var isTooLarge = false
  /// The single JSON value of the bytes, if they are one.
  private(set) var json: JSONValue?

  static var mostBytes: Int { 16 << 20 }

  init(_ body: [UInt8], mostBytes: Int = Self.mostBytes) {
    bytes = body
    if Gunzip.isGzip(body.span) { inflate(body, mostBytes) }
    // A second value ends parsing at once.
    if isJSON { json = try? JSONValue(parsing: bytes.span, limits: ClientPost.limits) }
  }

  var isJSON: Bool {
    let first = bytes.first { !Self.isBlank($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Whether the body may expand further: it is compressed twice, or an archive.
  var mayExpand: Bool { Gunzip.isGzip(bytes.span) || bytes.starts(with: [0x50, 0x4B]) }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func inflate(_ body: [UInt8], _ mostBytes: Int) {
    var gunzip = Gunzip()
    bytes = []
    do throws(GunzipError) {
      let count = try gunzip.inflate(body.span, into: &bytes, maximumBytes: mostBytes)
      guard count < body.count || gunzip.holdsOutput else { return try gunzip.finish() }
      failure = "it decompresses to more than \(Self.mostBytes >> 20) MiB"
      isTooLarge = true
      bytes = []
    } catch {
      failure = error.description
    }
  }
}

/// Rewrites JSON as one object per line.
///
/// The input is one object per line, one object over many lines, or an array of objects.
struct JSONPieces {
  private(set) var lines: [UInt8] = []
  /// The first input line of each line in ``lines``, from 1; empty if they are the same.
  private var origins: [Int] = []
  private(set) var failure: String?

  init(_ text: [UInt8]) {
    let isArray = text.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == 0x5B
    let firstLine = text.drop { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }
      .prefix { $0 != 0x0A && $0 != 0x0D }
    let end = firstLine.last { $0 != 0x20 && $0 != 0x09 }
    if !isArray, end == UInt8(ascii: "}") {
      lines = text
    } else {
      split(text)
    }
  }

  func line(_ number: Int) -> Int {
    origins.indices.contains(number - 1) ? origins[number - 1] : number
  }

  private mutating func split(_ text: [UInt8]) {
    var nesting = JSONNesting()
    var number = 1
    var arrays = (begun: 0, ended: 0)
    for byte in text {
      if byte == 0x0A { number += 1 }
      if nesting.depth == 0 {
        // Skip separators between objects; anything else becomes a malformed line.
        if byte == 0x5B { arrays.begun += 1 }
        if byte == 0x5D { arrays.ended += 1 }
        if byte == 0x5B || byte == 0x5D || byte == 0x2C || byte <= 0x20 { continue }
        origins.append(number)
      }
      lines.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte)
      let wasInText = nesting.isInText
      nesting.take(byte)
      if !wasInText, nesting.depth <= 0 {
        nesting.depth = 0
        lines.append(0x0A)
      }
    }
    if nesting.depth > 0 { lines.append(0x0A) }
    if arrays.begun != arrays.ended {
      failure = "the JSON is cut off: it opens \(arrays.begun) arrays and closes \(arrays.ended)"
    } else if arrays.begun > 1, lines.isEmpty {
      failure = "the JSON has only empty arrays"
    }
  }
}
