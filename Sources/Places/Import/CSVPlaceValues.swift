import FencepostFormats
import FencepostTime

/// Reads the values of a table that people write in many ways, and decides what only several rows together show.
///
/// Most values are clear by themselves. A date such as 3/4/2026 shows its order by another of the table with a
/// number above 12. In 1.500 the point may be the decimal one or divide thousands; another radius of the table
/// shows which, by any other number of digits behind its point. While a row's doubts are open, it must be held.
struct CSVPlaceValues {
  /// A value that later rows may make clear.
  enum Doubt {
    case date(PlaceDraft.Field, CSVClock.Waiting)
    case radius(RadiusText)
  }

  private var published: CSVClock
  private var expires: CSVClock
  /// The marks that are known to be decimal in radii, and those that rows are waiting for.
  private var decimalMarks: Set<UInt8> = []
  private var awaitedMarks: Set<UInt8> = []

  /// Begins a table.
  ///
  /// - Parameter order: Whether days or months come first; nil to decide by the table.
  init(order: DateOrder?) {
    published = CSVClock(.dates, order: order)
    expires = CSVClock(.dates, order: order)
  }

  /// Whether a row would have to wait that has had a doubt.
  var isUndecided: Bool {
    published.awaitsOrder || expires.awaitsOrder || !awaitedMarks.isSubset(of: decimalMarks)
  }

  /// Gives a row's radius and dates the form that the staging reads, and returns its doubts.
  ///
  /// What cannot be read stays as it is, for the staging to refuse.
  mutating func read(_ draft: inout PlaceDraft) -> [Doubt] {
    var doubts: [Doubt] = []
    if let radius = readRadius(&draft) { doubts.append(.radius(radius)) }
    // Few stories have dates.
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

  /// Writes the value into a draft that had to wait; false if it is still not clear.
  func settle(_ doubt: Doubt, in draft: inout PlaceDraft) -> Bool {
    switch doubt {
    case .radius(let radius):
      guard let mark = radius.mark, decimalMarks.contains(mark) else { return false }
      draft.set(radiusMeters: radius.meters)
    case .date(let field, let waiting):
      let clock = field == .published ? published : expires
      guard clock.order != nil else { return false }
      // There may be no such day in that order; then the staging refuses the text.
      if let milliseconds = clock.resolve(waiting) { draft.set(field, milliseconds: milliseconds) }
    }
    return true
  }

  /// Notes that no row is held any more.
  mutating func endWaiting() { awaitedMarks = [] }

  // MARK: Values

  /// Reads a radius with a point or comma; returns it if it is ambiguous.
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

  /// Reads a date; returns it if it has to wait.
  private static func readDate(
    _ field: PlaceDraft.Field, of draft: inout PlaceDraft, by clock: inout CSVClock
  ) -> CSVClock.Waiting? {
    draft.trim(field)
    guard !draft.isEmpty(field) else { return nil }
    let reading = clock.read(
      time: draft.bytes.span.extracting(draft.range(field)), date: Span())
    switch reading {
    case .moment(let milliseconds): draft.set(field, milliseconds: milliseconds)
    case .waiting(let waiting): return waiting
    // The staging knows the dates of mail too.
    case .empty, .unreadable: break
    }
    return nil
  }
}
