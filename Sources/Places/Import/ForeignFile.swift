/// Recognizes spreadsheet files, which cannot be imported, and tells the user how to convert them.
enum ForeignFile {
  private static let workbook =
    "this is an Excel workbook; save it as “CSV UTF-8” and import that file"
  private static let oldWorkbook =
    "this is a document from an old Office version, such as an Excel workbook;"
    + " save it as “CSV UTF-8” and import that file"
  private static let openDocument =
    "this is an OpenDocument spreadsheet; save it as CSV in UTF-8 and import that file"
  private static let numbers =
    "this is a Numbers document; export it as CSV in UTF-8 and import that file"

  /// The advice for a file that is not an archive, or nil if it may be text.
  static func sentence(head: [UInt8]) -> String? {
    head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) ? oldWorkbook : nil
  }

  /// The advice for an archive, from the name and first bytes of an entry, or nil.
  static func sentence(entry: String, head: [UInt8] = []) -> String? {
    if entry.hasPrefix("xl/") { return workbook }
    if entry == "mimetype", head.starts(with: "application/vnd.oasis.opendocument.spreadsheet".utf8)
    {
      return openDocument
    }
    return entry.hasPrefix("Index/") && entry.hasSuffix(".iwa") ? numbers : nil
  }
}
