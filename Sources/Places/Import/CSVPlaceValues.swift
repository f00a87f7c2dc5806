import FencepostFormats
import FencepostTime

/// Reads radii and dates, using the other rows of the table to resolve ambiguous ones.
///
/// 3/4/2026 is ambiguous until another date has a number above 12; 1.500 until another radius has a
/// point not followed by exactly three digits. The caller must hold a row until its doubts are
/// settled.
struct CSVPlaceValues {
  /// A value that later rows may settle.
  enum Doubt {
    case date(PlaceDraft.Field, CSVClock.Waiting)
    case radius(RadiusText)
  }

  private var published: CSVClock
  private var expires: CSVClock
  /// The marks known to be decimal in radii, and those that held rows are waiting for.
  private var decimalMarks: Set<UInt8> = []
  private var awaitedMarks: Set<UInt8> = []

  /// A nil order infers from the table whether days or months come first.
  init(order: DateOrder?) {
    published = CSVClock(.dates, order: order)
    expires = CSVClock(.dates, order: order)
  }

  /// Whether any doubt so far is still open.
  var isUndecided: Bool {
    published.awaitsOrder || expires.awaitsOrder || !awaitedMarks.isSubset(of: decimalMarks)
  }

  /// Converts the radius and dates of a row for staging, and returns the doubts.
  ///
  /// Leaves unreadable values as they are, for the staging to refuse.
  mutating func read(_ draft: inout PlaceDraft) -> [Doubt] {
    var doubts: [Doubt] = []
    if let radius = readRadius(&draft) { doubts.append(.radius(radius)) }
    if draft.isEmpty(.published), draft.isEmpty(.expires) { return doubts }
    if let waiting = Self.readDate(.published, of: &draft, by: &published) {
      doubts.append(.date(.published, waiting))
    }
    expires.adopt(published.order)
    if let waiting = Self.readDate(.expires, of: &draft, by: &expires) {
      doubts.append(.date(.expires, waiting))
    }
    published.adopt(expires.order)
    return doubts
  }

  /// Writes the settled value into a held draft, or returns false if it is still ambiguous.
  func settle(_ doubt: Doubt, in draft: inout PlaceDraft) -> Bool {
    switch doubt {
    case .radius(let radius):
      guard let mark = radius.mark, decimalMarks.contains(mark) else { return false }
      draft.set(radiusMeters: radius.meters)
    case .date(let field, let waiting):
      let clock = field == .published ? published : expires
      guard clock.order != nil else { return false }
      // The order may give no valid day. The staging then refuses the text.
      if let milliseconds = clock.resolve(waiting) { draft.set(field, milliseconds: milliseconds) }
    }
    return true
  }

  mutating func endWaiting() { awaitedMarks = [] }

  // MARK: Values

  /// Reads a radius with a point or comma, and returns it if it is ambiguous.
  private mutating func readRadius(_ draft: inout PlaceDraft) -> RadiusText? {
    draft.trim(.radius)
    let range = draft.range(.radius)
    var index = range.lowerBound
    while index < range.upperBound, !RadiusText.isMark(draft.bytes[index]) { index += 1 }
    guard index < range.upperBound else { return nil }
    let mark = draft.bytes[index]
    let isDecimal = decimalMarks.contains(mark)
    let isPlain = mark == UInt8(ascii: ".") && draft.bytes[range.upperBound - 1] &- 0x30 <= 9
    if isDecimal, isPlain { return nil }
    guard
      let radius = RadiusText(
        draft.bytes.span.extracting(range), bareUnitMeters: draft.radiusUnitMeters)
    else { return nil }
    if !isDecimal, radius.isAmbiguous {
      awaitedMarks.insert(mark)
      return radius
    }
    decimalMarks.insert(mark)
    if !isPlain { draft.set(radiusMeters: radius.meters) }
    return nil
  }

  private static func readDate(
    _ field: PlaceDraft.Field, of draft: inout PlaceDraft, by clock: inout CSVClock
  ) -> CSVClock.Waiting? {
    draft.trim(field)
    guard !draft.isEmpty(field) else { return nil }
    let reading = clock.read(time: draft.bytes.span.extracting(draft.range(field)), date: Span())
    switch reading {
    case .moment(let milliseconds): draft.set(field, milliseconds: milliseconds)
    case .waiting(let waiting): return waiting
    // The staging also reads mail dates.
    case .empty, .unreadable: break
    }
    return nil
  }
}
