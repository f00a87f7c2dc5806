#if Command
import FencepostCPages
import FencepostReporting

/// The pages' own files from the folder `Pages`, which are built into the program.
///
/// So the program is a single file. A page's HTML has slots, which ``write(_:to:fill:)`` fills.
enum Pages {
  /// The files by name; `CPages.c` joins several files into one script.
  static let files: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    // The table is constant. Each row has a name that ends in 0, and as many bytes as it says.
    while let row = unsafe cpages_at(files.count)?.pointee {
      let bytes = unsafe UnsafeBufferPointer(start: row.bytes, count: row.size)
      files[unsafe String(cString: row.name)] = unsafe Array(bytes)
    }
    return files
  }()

  /// The bytes of a file; empty for a name that does not exist.
  static func file(_ name: String) -> [UInt8] { files[name] ?? [] }

  /// Appends a page, calling `fill` for the contents of each slot, written as `{{name}}`.
  static func write(
    _ name: String, to output: inout OutputBuffer,
    fill: (_ slot: String, inout OutputBuffer) -> Void
  ) {
    var rest = String(decoding: file(name), as: UTF8.self)[...]
    while let opening = rest.firstRange(of: "{{"),
      let closing = rest[opening.upperBound...].firstRange(of: "}}")
    {
      output.append(verbatim: String(rest[..<opening.lowerBound]))
      fill(String(rest[opening.upperBound..<closing.lowerBound]), &output)
      rest = rest[closing.upperBound...]
    }
    output.append(verbatim: String(rest))
  }
}

/// HTML whose interpolated values are escaped.
///
/// Titles and names come from files of others, so no page writes them unescaped.
struct HTML: ExpressibleByStringInterpolation {
  fileprivate let text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation parts: StringInterpolation) { text = parts.text }

  /// Collects the literal parts unchanged and the values escaped.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: String) {
      var escaped = OutputBuffer(capacity: 256)
      escaped.append(xml: value)
      text += escaped.text
    }
  }
}

extension OutputBuffer {
  /// Appends HTML, whose values are already escaped.
  mutating func append(html: HTML) { append(verbatim: html.text) }

  /// Appends one of the pages' files unchanged.
  mutating func append(file name: String) { append(Pages.file(name).span) }
}
#endif
