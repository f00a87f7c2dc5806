/// A case of an enumeration in JSON, with a name for each part: `{"fixed":{"zone":"Z"}}`.
///
/// Earlier versions numbered parts that have no name in Swift: `{"fixed":{"_0":"Z"}}` is read too.
package struct CodedCase {
  /// The name of the case.
  package let name: String
  private let parts: KeyedDecodingContainer<Key>
  private let codingPath: [any CodingKey]

  fileprivate struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads the name of a case.
  ///
  /// - Throws: `DecodingError` unless there is exactly one name.
  package init(from decoder: any Decoder) throws {
    codingPath = decoder.codingPath
    let cases = try decoder.container(keyedBy: Key.self)
    guard let key = cases.allKeys.first, cases.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "expected one name of a case"))
    }
    name = key.stringValue
    parts = try cases.nestedContainer(keyedBy: Key.self, forKey: key)
  }

  /// Reads a part by its name, or by its number among the parts of the case.
  ///
  /// - Throws: `DecodingError` if there is no such part, or if it has another type.
  package func part<Value: Decodable>(_ name: String, _ number: Int = 0) throws -> Value {
    let numbered = Key(stringValue: "_\(number)")
    let key = parts.contains(numbered) ? numbered : Key(stringValue: name)
    return try parts.decode(Value.self, forKey: key)
  }

  /// The error for a name that no case has.
  package var unknown: DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: "unknown case \"\(name)\""))
  }
}

extension Encoder {
  /// Writes a case with its parts, as ``CodedCase`` reads it.
  package func encode(case name: String, _ parts: KeyValuePairs<String, any Encodable> = [:]) throws
  {
    var cases = container(keyedBy: CodedCase.Key.self)
    var values = cases.nestedContainer(
      keyedBy: CodedCase.Key.self, forKey: CodedCase.Key(stringValue: name))
    for (name, value) in parts {
      try values.encode(value, forKey: CodedCase.Key(stringValue: name))
    }
  }
}
