/// A value in a YAML or JSON document.
struct YAMLNode {
  indirect enum Value {
    /// A text; plain if nothing quotes it.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  var value: Value
  /// The line on which it begins, counted from 1.
  var line = 1
  /// How libyaml writes it, such as in brackets or quotes.
  var style: UInt32 = 0

  /// The text of a scalar.
  var text: String? {
    if case .scalar(let text, _) = value { text } else { nil }
  }

  /// The value of a key in a mapping; setting one that is missing appends it.
  subscript(key: String) -> YAMLNode? {
    get {
      guard case .mapping(let members) = value else { return nil }
      return members.first { $0.key.text == key }?.value
    }
    set {
      guard case .mapping(var members) = value, let newValue else { return }
      if let index = members.firstIndex(where: { $0.key.text == key }) {
        members[index].value = newValue
      } else {
        members.append((YAMLNode(value: .scalar(key, isPlain: true)), newValue))
      }
      value = .mapping(members)
    }
  }
}

/// Why a text is not YAML.
struct YAMLError: Error {
  /// Counted from 1; nil if the bytes are not even text.
  var line: Int?
  var sentence: String
}
