public import ArgumentParser
import Fencepost
public import FencepostMonitoring

extension SideTest: ExpressibleByArgument {}
extension AccuracyRule: ExpressibleByArgument {}

/// What must happen before a crossing counts, as options.
struct ConfirmationArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A crossing counts once the path has stayed on the new side for so long.",
      discussion: "If it goes back before, neither crossing counts.", valueName: "duration"))
  var hold: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "A crossing counts once so many fixes lie on the new side.", valueName: "N"))
  var confirmFixes: Int?

  @Option(
    help: ArgumentHelp(
      "Reports a dwell so long after each enter, if the device is still there.",
      valueName: "duration"))
  var dwell: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Where sides are judged: along the path, or at fixes only, as most engines do."))
  var test = Given(SideTest.path)

  @Option(
    help: ArgumentHelp(
      "What a fix's accuracy means with --test fixes.",
      discussion: """
        ‘contains’: inside once the circle contains the accuracy circle; ‘intersects’: once they \
        meet. Both are left when they meet no more. The default is ignore.
        """))
  var accuracy: AccuracyRule?

  @Flag(
    help: ArgumentHelp(
      "What --refresh adaptive certifies holds wherever the device was within each fix's accuracy.")
  )
  var trustAccuracy = false

  func validate() throws {
    if let confirmFixes, confirmFixes < 1 {
      throw ValidationError("--confirm-fixes is at least 1")
    }
    if accuracy != nil, test.value != .fixes {
      throw ValidationError("--accuracy needs --test fixes; a path has no accuracy")
    }
  }

  /// Makes sure that what is to alert can happen.
  func check(_ alerts: AlertArguments) throws {
    if alerts.alertOn.value == .dwell, dwell == nil {
      throw ValidationError("--alert-on dwell needs --dwell, which says how long a dwell is")
    }
  }

  /// Takes the options that the user gave over into a rule.
  func apply(to options: inout MonitoringOptions) {
    if let hold { options.confirmation.holdMilliseconds = hold.milliseconds }
    if let confirmFixes { options.confirmation.fixes = confirmFixes }
    if let dwell { options.confirmation.dwellMilliseconds = dwell.milliseconds }
    test.apply { test in
      options.test = test
      // A path has no accuracy, whatever a profile says of fixes.
      if test == .path { options.accuracy = .ignore }
    }
    if let accuracy { options.accuracy = accuracy }
    options.trustsAccuracy = trustAccuracy
  }
}
