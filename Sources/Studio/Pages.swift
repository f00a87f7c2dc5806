import FencepostCPages
import FencepostReporting

/// The pages' own files from the folder `Pages`, which the build puts into the program.
enum Pages {
  /// The files by name; a page's script is several files, which `CPages.c` joins.
  static let files: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    // The table is constant: each row has a name that ends in 0, and as many bytes as it says.
    while let row = unsafe cpages_at(files.count)?.pointee {
      let bytes = unsafe UnsafeBufferPointer(start: row.bytes, count: row.size)
      files[unsafe String(cString: row.name)] = unsafe Array(bytes)
    }
    return files
  }()

  /// The bytes of a file.
  static func file(_ name: String) -> [UInt8] { files[name] ?? [] }

  /// Appends a page with slots, each written as `{{name}}`.
  ///
  /// - Parameters:
  ///   - name: The name of the page's file.
  ///   - output: Receives the page.
  ///   - fill: Appends what belongs into a slot, by its name.
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
struct HTML: ExpressibleByStringInterpolation {
  fileprivate let text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation parts: StringInterpolation) { text = parts.text }

  /// The parts of a text with interpolated values.
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

/// A value in a row of a page's data.
enum Cell {
  /// A whole number, or `null`.
  case count(Int?)
  /// A number with so many decimals; `null` where it is nil or not finite.
  case number(Double?, decimals: Int)
  /// A text.
  case text(String)
  /// Whole numbers in a row of their own.
  case counts([Int])
}

extension OutputBuffer {
  /// Appends HTML.
  mutating func append(html: HTML) { append(verbatim: html.text) }

  /// Appends a file of the pages as it is.
  mutating func append(file name: String) { append(Pages.file(name).span) }

  /// Appends a JSON array of values.
  mutating func append(row cells: [Cell]) {
    appendArray(cells) { output, cell in
      switch cell {
      case .count(let count?): output.append(decimal: count)
      case .count(nil): output.append("null")
      case .number(let number, let decimals): output.append(number ?? .nan, decimals: decimals)
      case .text(let text): output.append(json: text)
      case .counts(let counts): output.append(row: counts.map { .count($0) })
      }
    }
  }
}
