import FencepostReporting

/// A page with slots, each written as `{{name}}`.
struct PageTemplate: Sendable {
  private enum Part: Sendable {
    case text([UInt8])
    case slot(String)
  }

  private let parts: [Part]

  /// Makes a template of a file's bytes.
  init(_ bytes: [UInt8]) {
    var parts: [Part] = []
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let opening = rest.firstRange(of: "{{"),
      let closing = rest[opening.upperBound...].firstRange(of: "}}")
    {
      parts.append(.text(Array(rest[..<opening.lowerBound].utf8)))
      parts.append(.slot(String(rest[opening.upperBound..<closing.lowerBound])))
      rest = rest[closing.upperBound...]
    }
    parts.append(.text(Array(rest.utf8)))
    self.parts = parts
  }

  /// Appends the page.
  ///
  /// - Parameters:
  ///   - output: Receives the page.
  ///   - fill: Appends what belongs into a slot, by its name.
  func write(to output: inout OutputBuffer, fill: (_ slot: String, inout OutputBuffer) -> Void) {
    for part in parts {
      switch part {
      case .text(let bytes): output.append(file: bytes)
      case .slot(let name): fill(name, &output)
      }
    }
  }
}

extension OutputBuffer {
  /// Appends a file of the pages as it is.
  mutating func append(file bytes: [UInt8]) { append(bytes.span) }
}
