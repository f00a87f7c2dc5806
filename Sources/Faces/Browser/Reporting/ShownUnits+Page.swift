extension ShownUnits {
  /// The units that writers use: a page asks for meters.
  package static var current: ShownUnits { .metric }
}
