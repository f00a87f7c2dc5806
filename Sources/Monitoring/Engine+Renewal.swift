extension Engine {
  /// How far from the last refresh the path goes before the set is renewed, in metres; nil before the
  /// first refresh.
  ///
  /// The fixed rule renews at the first fix that is so far away, the adaptive rule at that very distance.
  package var renewalMeters: Double? { anchor?.tripMeters }
}
