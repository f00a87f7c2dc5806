import FencepostCYAML

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

struct YAMLError: Error {
  /// Counted from 1; nil if the bytes are not even text.
  var line: Int?
  var sentence: String
}

extension YAMLNode {
  /// Reads a document; nil for an empty one.
  ///
  /// An alias becomes what it stands for.
  static func read(_ text: String) throws(YAMLError) -> YAMLNode? {
    // Each `unsafe` below calls libyaml with values on the stack that it has initialized, and reads
    // pointers into a document before that is deleted. The text outlives the parser.
    let bytes = Array(text.utf8)
    return try unsafe bytes.withUnsafeBufferPointer { bytes throws(YAMLError) in
      var parser = unsafe yaml_parser_t()
      guard unsafe yaml_parser_initialize(&parser) == 1 else { return nil }
      defer { unsafe yaml_parser_delete(&parser) }
      unsafe yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      guard let root = unsafe try next(&parser) else { return nil }
      if let other = unsafe try next(&parser) {
        throw YAMLError(line: other.line, sentence: "expected a single document in the stream")
      }
      return root
    }
  }

  private static func next(_ parser: inout yaml_parser_t) throws(YAMLError) -> YAMLNode? {
    // libyaml fills the document in before anything else sees it.
    var document = unsafe yaml_document_t()
    guard unsafe yaml_parser_load(&parser, &document) == 1 else {
      let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? ""
      let isText = unsafe parser.error != YAML_READER_ERROR && parser.error != YAML_MEMORY_ERROR
      throw YAMLError(
        line: isText ? Int(unsafe parser.problem_mark.line) + 1 : nil, sentence: problem)
    }
    defer { unsafe yaml_document_delete(&document) }
    var reader = YAMLTree()
    guard let root = unsafe yaml_document_get_root_node(&document) else { return nil }
    return unsafe try reader.node(root, &document)
  }
}

/// Copies the nodes of a document, each once.
private struct YAMLTree {
  /// Nil for a node whose copy has begun.
  private var copies: [Int32: YAMLNode?] = [:]
  private var depth = 0

  private static let mostLevels = 128

  private mutating func node(
    _ number: Int32, _ document: inout yaml_document_t
  ) throws(YAMLError) -> YAMLNode {
    if let known = copies[number], let node = known { return node }
    // The node belongs to the document, which outlives the call.
    guard let source = unsafe yaml_document_get_node(&document, number) else {
      throw YAMLError(line: nil, sentence: "the document is damaged")
    }
    let line = Int(unsafe source.pointee.start_mark.line) + 1
    guard copies[number] == nil, depth < Self.mostLevels else {
      throw YAMLError(line: line, sentence: "values are nested too deeply")
    }
    copies[number] = .some(nil)
    depth += 1
    defer { depth -= 1 }
    let node = unsafe try node(source, &document)
    copies[number] = node
    return node
  }

  mutating func node(
    _ source: UnsafeMutablePointer<yaml_node_t>, _ document: inout yaml_document_t
  ) throws(YAMLError) -> YAMLNode {
    // libyaml's bounds and lengths are those of its buffers, which live as long as the document.
    let line = Int(unsafe source.pointee.start_mark.line) + 1
    let data = unsafe source.pointee.data
    switch unsafe source.pointee.type {
    case YAML_SCALAR_NODE:
      let bytes = unsafe UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
      let style = unsafe data.scalar.style
      return YAMLNode(
        value: .scalar(
          unsafe String(decoding: bytes, as: UTF8.self), isPlain: style == YAML_PLAIN_SCALAR_STYLE),
        line: line, style: style.rawValue)
    case YAML_SEQUENCE_NODE:
      let items = unsafe data.sequence.items
      var elements: [YAMLNode] = []
      let count = unsafe items.start.map { unsafe items.top - $0 } ?? 0
      for index in 0..<count { elements.append(unsafe try node(items.start[index], &document)) }
      return YAMLNode(
        value: .sequence(elements), line: line, style: unsafe data.sequence.style.rawValue)
    default:
      let pairs = unsafe data.mapping.pairs
      var members: [(key: YAMLNode, value: YAMLNode)] = []
      var names: Set<String> = []
      let count = unsafe pairs.start.map { unsafe pairs.top - $0 } ?? 0
      for index in 0..<count {
        let pair = unsafe pairs.start[index]
        let key = unsafe try node(pair.key, &document)
        if let name = key.text, !names.insert(name).inserted {
          throw YAMLError(line: key.line, sentence: "\(name) is given twice")
        }
        members.append((key, unsafe try node(pair.value, &document)))
      }
      return YAMLNode(
        value: .mapping(members), line: line, style: unsafe data.mapping.style.rawValue)
    }
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
