#if Command
import FencepostCYAML

/// A value in a YAML or JSON document.
///
/// Rules files and story tests are read into it, because messages need the line of each value.
/// ``read(_:)`` makes it, and ``document`` writes it again.
struct YAMLNode {
  /// What stands at a place of the document.
  indirect enum Value {
    /// A text; plain if nothing quotes it.
    case scalar(String, isPlain: Bool)
    /// A list, in brackets or with a dash before each element.
    case sequence([YAMLNode])
    /// Keys with their values, in the order of the document.
    ///
    /// No two keys that are texts are the same.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  var value: Value
  /// The line on which it begins, counted from 1.
  var line = 1
  /// How libyaml writes it, such as in brackets or quotes.
  var style: UInt32 = 0

  /// The text of a scalar; nil for a sequence or mapping.
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

/// A line as YAML 1.1, and so libyaml, counts them: it also ends with NEL, U+2028 or U+2029.
///
/// Line numbers of messages and comments must be those of libyaml.
struct YAMLLine {
  /// The bytes before the line's end.
  var text: Range<Int>
  /// The index after the line's end.
  var end: Int

  /// The lines of a text in UTF-8; the last has no end.
  static func all(in bytes: [UInt8]) -> [YAMLLine] {
    var lines: [YAMLLine] = []
    var (start, index) = (0, 0)
    while index < bytes.count {
      let width = widthOfEnd(bytes[index...].prefix(3))
      if width > 0 {
        lines.append(YAMLLine(text: start..<index, end: index + width))
        start = index + width
      }
      index += max(1, width)
    }
    lines.append(YAMLLine(text: start..<index, end: index))
    return lines
  }

  /// The number of bytes of a line's end with which a text begins; 0 if it begins otherwise.
  private static func widthOfEnd(_ bytes: ArraySlice<UInt8>) -> Int {
    switch bytes.first {
    case 0x0A: 1
    case 0x0D: bytes.dropFirst().first == 0x0A ? 2 : 1
    case 0xC2: bytes.starts(with: [0xC2, 0x85]) ? 2 : 0
    case 0xE2:
      bytes.starts(with: [0xE2, 0x80, 0xA8]) || bytes.starts(with: [0xE2, 0x80, 0xA9]) ? 3 : 0
    default: 0
    }
  }
}

/// Why a text is not the document that it should be.
struct YAMLError: Error {
  /// Counted from 1; nil if the bytes are not even text.
  var line: Int?
  var sentence: String
}

extension YAMLNode {
  /// Reads a document; nil for an empty one.
  ///
  /// An alias becomes what it stands for.
  ///
  /// - Complexity: O(n) for n bytes.
  static func read(_ text: String) throws(YAMLError) -> YAMLNode? {
    let bytes = Array(text.utf8)
    if let line = YAMLTree.lineOfTagTooMany(bytes) {
      throw YAMLError(line: line, sentence: "there are too many %TAG lines")
    }
    // libyaml fills the parser in, and reads the text, which outlives it.
    return try unsafe bytes.withUnsafeBufferPointer { bytes throws(YAMLError) in
      var parser = unsafe yaml_parser_t()
      guard unsafe yaml_parser_initialize(&parser) == 1 else { return nil }
      defer { unsafe yaml_parser_delete(&parser) }
      unsafe yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      var tree = YAMLTree()
      return unsafe try tree.read(&parser)
    }
  }
}

/// Makes nodes of libyaml's events.
///
/// libyaml's own documents take quadratic time for levels and for aliases.
private struct YAMLTree {
  /// The complete nodes with an anchor.
  private var anchors: [String: YAMLNode] = [:]
  /// The number of values around the current one.
  private var depth = 0

  /// The most values within each other, as reading them is recursive.
  private static let mostLevels = 128
  /// libyaml compares each with all before it.
  private static let mostTags = 100

  /// The line, from 1, of the first `%TAG` beyond the limit; nil if there are not so many.
  static func lineOfTagTooMany(_ bytes: [UInt8]) -> Int? {
    let tags = YAMLLine.all(in: bytes).enumerated().lazy.filter {
      bytes[$0.element.text].starts(with: "%TAG".utf8)
    }
    return tags.dropFirst(mostTags).first.map { $0.offset + 1 }
  }

  // Every `unsafe` of this type calls libyaml, or reads an event that it has filled in and that is
  // not yet deleted.

  /// Reads all events of a stream, which must be a single document; nil for an empty one.
  mutating func read(_ parser: inout yaml_parser_t) throws(YAMLError) -> YAMLNode? {
    var root: YAMLNode?
    while true {
      var event = unsafe try Self.next(&parser)
      defer { unsafe yaml_event_delete(&event) }
      switch unsafe event.type {
      case YAML_STREAM_END_EVENT: return root
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
      default:
        guard root == nil else {
          throw YAMLError(
            line: unsafe Self.line(event), sentence: "expected a single document in the stream")
        }
        root = unsafe try node(event, &parser)
      }
    }
  }

  private static func line(_ event: yaml_event_t) -> Int {
    Int(unsafe event.start_mark.line) + 1
  }

  /// The next event, which the caller deletes.
  private static func next(_ parser: inout yaml_parser_t) throws(YAMLError) -> yaml_event_t {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(&parser, &event) == 1 else {
      let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? ""
      let isText = unsafe parser.error != YAML_READER_ERROR && parser.error != YAML_MEMORY_ERROR
      throw YAMLError(
        line: isText ? Int(unsafe parser.problem_mark.line) + 1 : nil, sentence: problem)
    }
    return unsafe event
  }

  /// Makes a node of an event and those that belong to it; an alias gets its anchor's node.
  private mutating func node(
    _ event: yaml_event_t, _ parser: inout yaml_parser_t
  ) throws(YAMLError) -> YAMLNode {
    let line = unsafe Self.line(event)
    guard depth < Self.mostLevels else {
      throw YAMLError(line: line, sentence: "values are nested too deeply")
    }
    depth += 1
    defer { depth -= 1 }
    let data = unsafe event.data
    func name(_ anchor: UnsafeMutablePointer<UInt8>?) -> String? {
      unsafe anchor.map { unsafe String(cString: $0) }
    }
    let anchor: String?
    let node: YAMLNode
    switch unsafe event.type {
    case YAML_ALIAS_EVENT:
      guard let known = anchors[unsafe name(data.alias.anchor) ?? ""] else {
        throw YAMLError(line: line, sentence: "found undefined alias")
      }
      return known
    case YAML_SCALAR_EVENT:
      let bytes = unsafe UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
      let style = unsafe data.scalar.style
      anchor = unsafe name(data.scalar.anchor)
      node = YAMLNode(
        value: .scalar(
          unsafe String(decoding: bytes, as: UTF8.self), isPlain: style == YAML_PLAIN_SCALAR_STYLE),
        line: line, style: style.rawValue)
    case YAML_SEQUENCE_START_EVENT:
      let elements = unsafe try nodes(upTo: YAML_SEQUENCE_END_EVENT, &parser)
      anchor = unsafe name(data.sequence_start.anchor)
      node = YAMLNode(
        value: .sequence(elements), line: line, style: unsafe data.sequence_start.style.rawValue)
    default:
      let members = try Self.members(unsafe nodes(upTo: YAML_MAPPING_END_EVENT, &parser))
      anchor = unsafe name(data.mapping_start.anchor)
      node = YAMLNode(
        value: .mapping(members), line: line, style: unsafe data.mapping_start.style.rawValue)
    }
    if let anchor { anchors[anchor] = node }
    return node
  }

  /// Makes the nodes up to the end of a sequence or mapping.
  private mutating func nodes(
    upTo end: yaml_event_type_t, _ parser: inout yaml_parser_t
  ) throws(YAMLError) -> [YAMLNode] {
    var nodes: [YAMLNode] = []
    while true {
      var event = unsafe try Self.next(&parser)
      defer { unsafe yaml_event_delete(&event) }
      if unsafe event.type == end { return nodes }
      nodes.append(unsafe try node(event, &parser))
    }
  }

  /// The members of a mapping, from its keys and values in turn.
  private static func members(
    _ nodes: [YAMLNode]
  ) throws(YAMLError) -> [(key: YAMLNode, value: YAMLNode)] {
    var names: Set<String> = []
    var members: [(key: YAMLNode, value: YAMLNode)] = []
    for index in stride(from: 0, to: nodes.count, by: 2) {
      let key = nodes[index]
      if let name = key.text, !names.insert(name).inserted {
        throw YAMLError(line: key.line, sentence: "\(name) is given twice")
      }
      members.append((key, nodes[index + 1]))
    }
    return members
  }
}

extension YAMLNode {
  /// The style of a mapping in braces on one line.
  static let flowStyle = YAML_FLOW_MAPPING_STYLE.rawValue
  /// The style of a sequence or mapping with one element per line.
  static let blockStyle = YAML_BLOCK_SEQUENCE_STYLE.rawValue

  /// The document as YAML, each value in its style.
  var document: String {
    // Each `unsafe` below calls libyaml with values on the stack that it has initialized. The
    // emitter appends to `output` while this function runs, and deletes the document.
    var output: [UInt8] = []
    unsafe withUnsafeMutablePointer(to: &output) { output in
      var emitter = unsafe yaml_emitter_t()
      var document = unsafe yaml_document_t()
      guard unsafe yaml_emitter_initialize(&emitter) == 1 else { return }
      defer { unsafe yaml_emitter_delete(&emitter) }
      unsafe yaml_emitter_set_output(
        &emitter,
        { output, bytes, count in
          guard let output = unsafe output, let bytes = unsafe bytes else { return 0 }
          unsafe output.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
          return 1
        }, output)
      unsafe yaml_emitter_set_width(&emitter, -1)
      unsafe yaml_emitter_set_unicode(&emitter, 1)
      guard unsafe yaml_document_initialize(&document, nil, nil, nil, 1, 1) == 1 else { return }
      _ = unsafe append(to: &document)
      unsafe yaml_emitter_open(&emitter)
      unsafe yaml_emitter_dump(&emitter, &document)
      unsafe yaml_emitter_close(&emitter)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Adds the value and all within it to a document, and returns its number there.
  private func append(to document: inout yaml_document_t) -> Int32 {
    switch value {
    case .scalar(var text, _):
      // libyaml copies the bytes.
      return text.withUTF8 { bytes in
        unsafe yaml_document_add_scalar(
          &document, nil, bytes.baseAddress ?? UnsafePointer(bitPattern: 1), Int32(bytes.count),
          yaml_scalar_style_t(style))
      }
    case .sequence(let elements):
      let number = unsafe yaml_document_add_sequence(&document, nil, yaml_sequence_style_t(style))
      for element in elements {
        let element = unsafe element.append(to: &document)
        unsafe yaml_document_append_sequence_item(&document, number, element)
      }
      return number
    case .mapping(let members):
      let number = unsafe yaml_document_add_mapping(&document, nil, yaml_mapping_style_t(style))
      for member in members {
        let key = unsafe member.key.append(to: &document)
        let value = unsafe member.value.append(to: &document)
        unsafe yaml_document_append_mapping_pair(&document, number, key, value)
      }
      return number
    }
  }
}
#endif
