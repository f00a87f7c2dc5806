/// Whether the day or the month comes first in dates such as 3/4/2026.
///
/// The raw value is the name in options.
public enum DateOrder: String, Sendable, CaseIterable {
  /// April 3, as in most of the world.
  case dayFirst = "dmy"
  /// March 4, as in the United States.
  case monthFirst = "mdy"
}
