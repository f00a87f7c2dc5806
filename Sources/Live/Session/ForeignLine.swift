/// The line that a source was recognised by as no track: it is passed over to its end, however it is cut
/// into pieces, so that what follows is looked at from the beginning of a line.
struct ForeignLine {
  private var isOpen = false

  /// What comes next belongs to such a line.
  mutating func begin() { isOpen = true }

  /// What stands behind the line; all of it where there is none, nothing where its end is to come.
  mutating func rest(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard isOpen else { return bytes }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
    isOpen = false
    return bytes[(end + 1)...]
  }
}
