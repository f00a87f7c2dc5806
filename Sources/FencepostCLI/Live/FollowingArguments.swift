import ArgumentParser
import Live

/// How devices are followed as they move, wherever their fixes come from.
struct FollowingArguments: ParsableArguments {
  @OptionGroup(title: "Places")
  var places: PlaceArguments

  @OptionGroup(title: "Sinks")
  var sinks: SinkArguments

  @OptionGroup
  var rules: SessionArguments

  @Flag(name: .shortAndLong, help: "Says of every rejected fix where it stands and why.")
  var verbose = false

  @OptionGroup(title: "Report")
  var output: LiveOutputArguments

  /// Makes sure that nothing is read and written at once.
  ///
  /// - Parameters:
  ///   - source: The file or device that is followed; nil for none.
  ///   - state: The file that the session is kept in; nil for none.
  /// - Throws: ``CommandFailure`` with a sentence that names both.
  func checkFiles(reading source: String?, state: String?) throws(CommandFailure) {
    try FileUse(writing: [("--output", output.output), ("--state", state)])
      .check(reading: places.source.files + [source])
  }

  /// The options of a session that follows a source.
  ///
  /// - Parameters:
  ///   - address: The source.
  ///   - name: What it is called in messages.
  /// - Returns: The options.
  /// - Throws: What a sink or the output says that cannot be had.
  func options(_ address: LiveAddress, name: String) throws -> LiveOptions {
    rules.sayWarnings()
    var options = LiveOptions(address: address, addressName: name)
    options.session = rules.session
    options.fixes = rules.fixes.options
    options.sinks = try sinks.sinks()
    for sink in options.sinks {
      if let missing = sink.missingProgram { throw CommandFailure(.inputMissing, missing) }
    }
    options.sinkCapacity = sinks.sinkQueue
    options.sinkDeadlineMilliseconds = sinks.sinkDeadline.value?.milliseconds
    options.sinkGraceMilliseconds = sinks.sinkGrace.milliseconds
    options.deliveredSelection = sinks.deliver
    try output.apply(to: &options)
    return options
  }
}
