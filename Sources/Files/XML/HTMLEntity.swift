import FencepostCLibXML2

/// The named characters of HTML 4.
package enum HTMLEntity {
  /// The character for a name such as `eacute`; nil if HTML 4 does not define it.
  package static func scalar(named name: String) -> Unicode.Scalar? {
    guard !name.utf8.contains(0) else { return nil }
    // The name stays valid during the call, and libxml2's table is static.
    let entity = unsafe (Array(name.utf8) + [0]).withUnsafeBufferPointer {
      unsafe htmlEntityLookup($0.baseAddress)
    }
    return unsafe entity.flatMap { unsafe Unicode.Scalar($0.pointee.value) }
  }
}
