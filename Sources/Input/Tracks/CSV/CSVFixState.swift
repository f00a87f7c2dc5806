import FencepostFormats

/// A column in which the rows say whether they are fixes, such as `valid` or `fix`.
///
/// A `status` or `mode` may also be that of an ignition, a job or a traveler. Where the name does not
/// say that it is a receiver's, only cells such as `V` or `no fix` count; other codes are named.
///
/// Numbers mean what receivers mean by them: 0 means that the fix is missing, as in NMEA's GGA. In a
/// `mode` so does 1, but in a `status` 0 may be a fix; there, small numbers count only after greater
/// ones.
struct CSVFixState: Sendable {
  /// What a column of such a name tells: valid or not, a kind of fix, a status or a mode.
  private enum Kind: Sendable { case validity, fix, status, mode }

  /// The index of the column, from 0, and its title.
  let column: Int
  let title: String
  private let kind: Kind
  /// Whether the name says that the column is a receiver's.
  private let isReceivers: Bool
  /// The greatest number so far.
  private var greatest = 0.0
  /// Whether 0 is a fix, because a lower number means that it is missing.
  private var zeroIsFix = false
  /// Whether the column counts something instead.
  private var isOther = false
  /// The first cell that says neither.
  private(set) var unread: String?
  /// The last cell and what it said, because most rows repeat it.
  private var last: (cell: [UInt8], isVoid: Bool) = ([], false)

  /// The normalized names of columns by what they tell.
  private static let kinds: [(kind: Kind, names: Set<String>)] = [
    (
      .validity,
      [
        "valid", "isvalid", "validity", "gpsvalid", "gnssvalid", "validgps", "gpsvalidity",
        "validfix", "fixvalid", "gpsfixvalid", "positionvalid", "validposition", "posvalid",
        "locationvalid", "validlocation", "coordinatesvalid", "datavalid", "hasfix", "gpshasfix",
        "hasgps", "hasgpsfix", "isfix", "isgpsfix", "hasposition", "haslocation", "visible",
        "gültig", "gueltig", "valide", "valido", "válido",
      ]
    ),
    (
      .fix,
      [
        "fix", "gpsfix", "gnssfix", "fixtype", "gpsfixtype", "gnssfixtype", "fixquality",
        "gpsfixquality", "gpsquality", "gnssquality", "quality", "qualityindicator", "gpsqual",
        "ggaquality", "qualitygps", "positionquality", "posquality", "fixqual", "fixindicator",
        "positionfix", "positionfixindicator", "gpsfixed", "fixed", "gpslock",
      ]
    ),
    (
      .status,
      [
        "status", "fixstatus", "gpsfixstatus", "gpsstatus", "gnssstatus", "statusgps",
        "positionstatus", "posstatus", "locationstatus", "rmcstatus", "gpsstate", "fixstate",
        "datastatus", "solutionstatus",
      ]
    ),
    (
      .mode,
      [
        "mode", "gpsmode", "gnssmode", "fixmode", "gpsfixmode", "positionmode", "posmode",
        "navmode", "modeindicator", "tpvmode",
      ]
    ),
  ]

  /// Names that may mean something else than a receiver's.
  private static let ambiguousNames: Set<String> = ["status", "datastatus", "mode"]
  /// What such a column says only of fixes.
  private static let clearVoidWords: Set<String> = [
    "v", "void", "invalid", "notvalid", "nofix", "notfixed", "unfixed", "nogps", "nogpsfix",
    "nosignal", "nolock", "noposition", "nosatellites", "nosats", "lostfix", "keinfix", "keingps",
    "fixnone", "invalidfix", "ungültig", "ungueltig",
  ]

  /// The cells of a receiver's column in rows that are not fixes, normalized.
  private static let voidWords: Set<String> = [
    "false", "no", "n", "invalid", "notvalid", "void", "v", "none", "nofix", "notfixed", "unfixed",
    "nogps", "nogpsfix", "nosignal", "nolock", "noposition", "nosatellites", "nosats", "lost",
    "lostfix", "unavailable", "notavailable", "searching", "acquiring", "waiting", "nein", "non",
    "ungültig", "ungueltig", "keinfix", "keingps", "falsch", "fixnone", "invalidfix", "off", "nil",
  ]
  /// Its cells in rows that are fixes.
  private static let fixWords: Set<String> = [
    "true", "yes", "y", "valid", "a", "active", "ok", "okay", "on", "fix", "fixed", "gps", "gpsfix",
    "gnss", "2d", "3d", "2dfix", "3dfix", "fix2d", "fix3d", "d", "dgps", "dgpsfix", "dgnss",
    "differential", "autonomous", "sbas", "sps", "pps", "rtk", "rtkfix", "rtkfixed", "rtkfloat",
    "float", "r", "p", "e", "estimated", "deadreckoning", "dr", "single", "ja", "oui", "si",
    "gültig", "gueltig", "wahr", "validfix", "good", "locked", "available", "lastknown", "j",
  ]

  /// The columns of a header, by normalized name, except those that `isUsed`.
  static func columns(
    titles: [String], names: [String], isUsed: (Int) -> Bool
  ) -> [CSVFixState] {
    // In a list of events, `fix` is the number of the fix.
    let isEvents = names.contains("fraction")
    return names.indices.compactMap { index in
      guard !isUsed(index), !isEvents,
        let kind = kinds.first(where: { $0.names.contains(names[index]) })?.kind
      else { return nil }
      return CSVFixState(
        column: index, title: titles[index], kind: kind,
        isReceivers: !ambiguousNames.contains(names[index]))
    }
  }

  private init(column: Int, title: String, kind: Kind, isReceivers: Bool) {
    (self.column, self.title, self.kind) = (column, title, kind)
    self.isReceivers = isReceivers
  }

  /// Whether a row's cell says that the row is not a fix.
  mutating func isVoid(_ cell: Span<UInt8>) -> Bool {
    if isOther || cell.isEmpty { return false }
    if cell.equals(last.cell) { return last.isVoid }
    guard cell.count <= 64 else { return note(String(utf8: cell)) }
    if let number = CSVNumber.double(parsing: cell) {
      return isReceivers ? isVoid(number) : note(code: number, cell)
    }
    let text = String(utf8: cell)
    let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
    // F is a float solution in NMEA's modes, and false elsewhere.
    let voidWords = isReceivers ? Self.voidWords : Self.clearVoidWords
    let isVoid = voidWords.contains(word) || (kind == .validity && word == "f")
    last = (Array(text.utf8), isVoid)
    if !isReceivers, !isVoid, Self.voidWords.contains(word) { return note(text) }
    if isVoid || Self.fixWords.contains(word) || word == "f" || word == "t" { return isVoid }
    // A mode of travel or the state of a job says nothing about fixes, and needs no warning.
    let isPlainWord = word.count > 2 && word.allSatisfy(\.isLetter)
    return isPlainWord && (kind == .mode || kind == .status) ? false : note(text)
  }

  /// Whether a number says that the row is not a fix, by the rules in the type's description.
  private mutating func isVoid(_ number: Double) -> Bool {
    // Not remembered, because it may depend on the rows before.
    greatest = max(greatest, number)
    if number > 9, kind != .validity { isOther = true }
    if number < 0, kind == .status {
      zeroIsFix = true
      if unread == "0" { unread = nil }
    }
    if number < 0 { return true }
    switch kind {
    case .validity, .fix: return number == 0
    case .status:
      guard number == 0, !zeroIsFix else { return false }
      return greatest >= 1 || note("0")
    case .mode:
      guard number <= 1 else { return false }
      return greatest >= 2 || note(number == 0 ? "0" : "1")
    }
  }

  /// Notes the code of a column that may be something else's; large numbers are.
  private mutating func note(code number: Double, _ cell: Span<UInt8>) -> Bool {
    if number > 9 { isOther = true }
    return unread == nil ? note(String(utf8: cell)) : false
  }

  /// Remembers the first cell that says neither, for the notice; the row counts as a fix.
  private mutating func note(_ text: String) -> Bool {
    unread = unread ?? text
    return false
  }

  /// A warning about rows that may not be fixes; nil if every cell was clear.
  var notice: String? {
    guard let unread, !isOther else { return nil }
    return "the column “\(title)” has “\(unread.prefix(40))”, which Fencepost does not read; such "
      + "rows count as fixes"
  }
}
