/// An event as libxml2 told it, kept until it is asked for.
///
/// Ranges point into the parser's bytes.
struct XMLRecord {
  var event = XMLReader.Event.text
  /// The local name of an element, or character data.
  var name = 0..<0
  /// The index of the namespace's URI; 0 is none.
  var namespace = 0
  var attributes = 0..<0
  var line = 1
}

/// An attribute of an element that begins.
struct XMLAttributeRecord {
  var name: Range<Int>
  var value: Range<Int>
  var namespace: Int
}
