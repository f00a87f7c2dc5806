import FencepostCLibXML2

/// The characters that HTML 4 has names for.
package enum HTMLEntity {
  /// The character of a name such as `eacute`, nil if HTML 4 has no such name.
  package static func scalar(named name: String) -> Unicode.Scalar? {
    guard !name.utf8.contains(0) else { return nil }
    // The name stays until the call returns, and libxml2's table is static.
    let entity = unsafe (Array(name.utf8) + [0]).withUnsafeBufferPointer {
      unsafe htmlEntityLookup($0.baseAddress)
    }
    return unsafe entity.flatMap { unsafe Unicode.Scalar($0.pointee.value) }
  }
}
