extension Int64 {
  /// The quotient rounded towards minus infinity, so that instants before 1970 fall into the
  /// second or day that contains them.
  func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// What ``dividedDown(by:)`` leaves, 0..<divisor.
  func remainderDown(by divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
