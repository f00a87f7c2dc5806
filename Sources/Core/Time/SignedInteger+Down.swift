extension SignedInteger {
  /// The quotient, rounded down; also correct for times before 1970.
  @inlinable
  package func dividedDown(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The remainder of ``dividedDown(by:)``, in 0..<divisor.
  @inlinable
  package func remainderDown(by divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
