import WASILibc

/// Reads a decimal number for the standard library; nil for text that is not one.
// The standard library passes a C string and room for the number.
@_cdecl("_swift_stdlib_strtod_clocale")
func readDecimal(
  _ text: UnsafePointer<CChar>, _ number: UnsafeMutablePointer<Double>
) -> UnsafePointer<CChar>? {
  var end: UnsafeMutablePointer<CChar>?
  unsafe number.pointee = strtod(text, &end)
  guard let end = unsafe end, unsafe end != text else { return nil }
  return unsafe UnsafePointer(end)
}
