import FencepostReporting

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

extension OutputBuffer {
  /// Appends HTML.
  mutating func append(html: HTML) { append(verbatim: html.text) }
}
