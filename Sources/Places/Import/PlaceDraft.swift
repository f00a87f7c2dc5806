import Formats

/// A row as an importer found it, all text, before anybody has judged it.
struct PlaceDraft {
  enum Field: Int, CaseIterable {
    case id, title, blurb, url, category, priority, published, expires, latitude, longitude, radius
  }

  /// The line, from 1, where the row begins.
  var line = 1
  private var texts = [[UInt8]](repeating: [], count: Field.allCases.count)

  /// Forgets the row and keeps the storage.
  mutating func clear() {
    for index in texts.indices { texts[index].removeAll(keepingCapacity: true) }
  }

  subscript(field: Field) -> [UInt8] {
    get { texts[field.rawValue] }
    set { texts[field.rawValue] = newValue }
  }

  mutating func set(_ field: Field, _ bytes: Span<UInt8>) {
    texts[field.rawValue].removeAll(keepingCapacity: true)
    texts[field.rawValue].append(contentsOf: bytes)
  }

  mutating func set(_ field: Field, _ text: String) {
    texts[field.rawValue] = Array(text.utf8)
  }

  mutating func append(_ text: String, to field: Field) {
    texts[field.rawValue] += Array(text.utf8)
  }

  func isEmpty(_ field: Field) -> Bool { texts[field.rawValue].isEmpty }

  /// The field as text, for messages.
  func text(_ field: Field) -> String { String(decoding: texts[field.rawValue], as: UTF8.self) }

  /// Takes white space off the ends of a field.
  mutating func trim(_ field: Field) {
    let bytes = texts[field.rawValue]
    guard let first = bytes.first, let last = bytes.last, first <= 0x20 || last <= 0x20 else {
      return
    }
    let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
    let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
    texts[field.rawValue] = Array(bytes[start..<end])
  }
}
