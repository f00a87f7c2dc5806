// Embedded Swift has no Codable. These stand in for it, so that types need no second declaration;
// the files that read or write with a coder, whose names end in +Codable, are left out.

/// Stands in for the protocol of this name.
///
/// Embedded Swift has none. Nothing here is ever encoded this way: documents are written by hand,
/// and read by `JSONNode`.
public protocol Encodable {}
/// Stands in for the protocol of this name.
public protocol Decodable {}
/// Stands in for both.
public typealias Codable = Decodable & Encodable
/// Stands in for the protocol of this name.
public protocol CodingKey {}

/// Stands in for a task: the page asks for small steps instead, and never cancels one.
public enum Task {
  /// Always false.
  public static var isCancelled: Bool { false }
}
