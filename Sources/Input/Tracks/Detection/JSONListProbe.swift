import FencepostFormats

/// Finds a list of objects with latitude and longitude within JSON, for a message.
///
/// Fencepost does not guess which list of a document is a track, but it can say how to extract one.
enum JSONListProbe {
  /// An object or array on the way to the value that is being read.
  private struct Step {
    /// The key of an object, or the elements of an array, as `jq` writes them.
    var text: String
    var hasLatitude = false
    var hasLongitude = false
  }

  /// The path of the objects for `jq`, such as `.data[]`; nil if no list has any.
  static func path(in text: Span<UInt8>) -> String? {
    var reader = JSONReader(isSequence: true)
    reader.push(text)
    var steps: [Step] = []
    var key = ""
    // Damage after the first object does not matter.
    while let event = try? reader.next() {
      switch event {
      case .beginArray: steps.append(Step(text: key + "[]"))
      case .beginObject: steps.append(Step(text: key))
      case .endArray, .endObject: steps.removeLast()
      case .key:
        guard let last = steps.indices.last else { break }
        if JSONFixReader.latitudeNames.contains(where: { reader.textEquals($0) }) {
          steps[last].hasLatitude = true
        }
        if JSONFixReader.longitudeNames.contains(where: { reader.textEquals($0) }) {
          steps[last].hasLongitude = true
        }
        if steps[last].hasLatitude, steps[last].hasLongitude,
          steps.contains(where: { $0.text.hasSuffix("[]") })
        {
          let path = steps.map(\.text).joined()
          return path.hasPrefix(".") ? path : "." + path
        }
        key = step(reader.string)
        continue
      default: break
      }
      key = ""
    }
    return nil
  }

  /// A key as a step of a `jq` path, in quotation marks unless it is a plain name.
  private static func step(_ key: String) -> String {
    let isPlain = key.utf8.allSatisfy {
      0x61...0x7A ~= $0 | 0x20 || $0 == UInt8(ascii: "_") || 0x30...0x39 ~= $0
    }
    guard isPlain, key.first?.isNumber == false else {
      return ".[\"" + key.filter { !"\"\\'".contains($0) } + "\"]"
    }
    return "." + key
  }
}
