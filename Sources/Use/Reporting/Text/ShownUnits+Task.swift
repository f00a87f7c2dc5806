extension ShownUnits {
  /// The units that writers use while a command runs.
  @TaskLocal package static var current = ShownUnits.metric
}
