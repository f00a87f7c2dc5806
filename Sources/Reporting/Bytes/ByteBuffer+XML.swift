extension ByteBuffer {
  /// Appends a text as XML character data that is valid in an element and in an attribute.
  ///
  /// Characters that XML 1.0 does not allow, not even as references, become U+FFFD.
  public mutating func append(xml text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      case "'": append("&#39;")
      // As references, for a parser turns the bare ones into spaces or another line end.
      case "\t": append("&#9;")
      case "\n": append("&#10;")
      case "\r": append("&#13;")
      case "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
      default:
        if scalar.isControl { append("\u{FFFD}") } else { append(scalar: scalar) }
      }
    }
  }

  /// Appends one scalar as UTF-8.
  package mutating func append(scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      for codeUnit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(codeUnit) }
    }
  }
}

extension Unicode.Scalar {
  /// Whether this is one of the C0 or C1 controls or DEL.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether this turns the direction of writing, so that what follows can be made to look like
  /// something else.
  var isDirectionMark: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
