extension UInt64 {
  /// The number with its bits mixed, the same in every run: the finalizer of SplitMix64.
  ///
  /// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
  var mixed: UInt64 {
    var mixed = self
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
