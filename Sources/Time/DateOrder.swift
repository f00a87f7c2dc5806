/// Whether day or month comes first in dates such as 3/4/2026.
public enum DateOrder: String, Sendable, CaseIterable {
  /// 3 April, as in most of the world.
  case dayFirst = "dmy"
  /// 4 March, as in the United States.
  case monthFirst = "mdy"
}
