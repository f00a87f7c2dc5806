import FencepostCYAML

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

  /// Adds the value and returns its number in the document.
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
