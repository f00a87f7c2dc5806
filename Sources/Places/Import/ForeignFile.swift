/// Files of spreadsheet programs, which are not read, and what makes a table of them.
enum ForeignFile {
  /// What to do with a workbook, as a sentence without a full stop.
  private static let workbook = "an Excel workbook; save it as “CSV UTF-8” and import that file"
  private static let oldWorkbook =
    "a document of an old Office program, such as an Excel workbook;"
    + " save it as “CSV UTF-8” and import that file"
  private static let openDocument =
    "an OpenDocument spreadsheet; save it as CSV in UTF-8 and import that file"
  private static let numbers =
    "a document of Numbers; export it as CSV in UTF-8 and import that file"

  /// Judges a file that is no archive by its first bytes; nil if it may be a text.
  static func sentence(head: [UInt8]) -> String? {
    head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) ? oldWorkbook : nil
  }

  /// Judges an archive by an entry; nil if it may be one of other files.
  ///
  /// - Parameters:
  ///   - entry: The entry's name.
  ///   - head: The first bytes of its contents, perhaps none.
  /// - Returns: What it is, and what to do, as a sentence without a full stop.
  static func sentence(entry: String, head: [UInt8] = []) -> String? {
    if entry.hasPrefix("xl/") { return workbook }
    if entry == "mimetype",
      head.starts(with: "application/vnd.oasis.opendocument.spreadsheet".utf8)
    {
      return openDocument
    }
    return entry.hasPrefix("Index/") && entry.hasSuffix(".iwa") ? numbers : nil
  }
}
