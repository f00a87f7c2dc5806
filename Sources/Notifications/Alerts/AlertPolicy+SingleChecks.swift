// The checks that look at one enter and at what the policy remembers.
extension AlertPolicy {
  /// What a check of one enter came to: its outcome, and the reason if it refused.
  struct SingleResult {
    var outcome: AlertCheck.Outcome
    var reason: SuppressionReason?

    static let passed = SingleResult(outcome: .passed, reason: nil)
    static let notApplied = SingleResult(outcome: .notApplied, reason: nil)

    static func refused(_ reason: SuppressionReason) -> SingleResult {
      SingleResult(outcome: .refused, reason: reason)
    }
  }

  static let singleRules: [AlertCheck.Rule] = [.validity, .quietHours, .driving, .cooldown]

  func check(_ rule: AlertCheck.Rule, _ enter: Enter) -> SingleResult {
    switch rule {
    case .validity: checkValidity(enter)
    case .quietHours: checkQuietHours(enter)
    case .driving: checkDriving(enter)
    case .cooldown: checkCooldown(enter)
    case .spot, .sameSecond, .budget: .notApplied
    }
  }

  /// The reason of the first of ``singleRules`` that refuses an enter, nil where none does.
  func refusal(of enter: Enter) -> SuppressionReason? {
    checkValidity(enter).reason ?? checkQuietHours(enter).reason ?? checkDriving(enter).reason
      ?? checkCooldown(enter).reason
  }

  private func checkValidity(_ enter: Enter) -> SingleResult {
    guard let time = enter.timeMilliseconds else { return .notApplied }
    if let published = enter.publishedMilliseconds, time < published {
      return .refused(.notPublished)
    }
    if let expires = enter.expiresMilliseconds, time >= expires { return .refused(.expired) }
    return .passed
  }

  private func checkQuietHours(_ enter: Enter) -> SingleResult {
    guard let quietHours = options.quietHours, let time = enter.timeMilliseconds else {
      return .notApplied
    }
    return quietHours.contains(milliseconds: time) ? .refused(.quietHours) : .passed
  }

  private func checkDriving(_ enter: Enter) -> SingleResult {
    guard let limit = options.maxAlertSpeedMetersPerSecond else { return .notApplied }
    if enter.speedMetersPerSecond > limit || isDrivingRemembered(at: enter.timeMilliseconds) {
      return .refused(.driving)
    }
    return enter.speedMetersPerSecond.isNaN ? .notApplied : .passed
  }

  private func isDrivingRemembered(at timeMilliseconds: Int64?) -> Bool {
    guard let time = timeMilliseconds, let driving = state.drivingMilliseconds else { return false }
    return driving <= time && time - driving < Options.drivingMemoryMilliseconds
  }

  private func checkCooldown(_ enter: Enter) -> SingleResult {
    let last = state.alerted[enter.placeID]
    switch options.cooldown {
    case .none:
      return .notApplied
    case .forever:
      return last == nil ? .passed : .refused(.cooldown)
    case .seconds(let seconds):
      guard let time = enter.timeMilliseconds else { return .notApplied }
      guard let last, let lastTime = last else { return .passed }
      // The parts of a file need not be in order of time, hence the distance either way.
      let distance = (time - lastTime).magnitude
      return distance < seconds.magnitude.multipliedClamped(by: 1000)
        ? .refused(.cooldown) : .passed
    }
  }

  /// What a check of one enter looked at.
  func inputs(of rule: AlertCheck.Rule, _ enter: Enter) -> [AlertCheck.Input] {
    let entered = AlertCheck.Input(
      name: "entered", value: .instant(orUnknown: enter.timeMilliseconds))
    switch rule {
    case .validity:
      return [
        entered,
        .init(
          name: "published", value: .instant(orUnlimited: enter.publishedMilliseconds)),
        .init(name: "expires", value: .instant(orUnlimited: enter.expiresMilliseconds)),
      ]
    case .quietHours: return quietHoursInputs(enter)
    case .driving: return drivingInputs(enter)
    case .cooldown: return [entered] + cooldownInputs(enter)
    case .spot, .sameSecond, .budget: return []
    }
  }

  private func quietHoursInputs(_ enter: Enter) -> [AlertCheck.Input] {
    guard let quietHours = options.quietHours else { return [] }
    let local = enter.timeMilliseconds.flatMap {
      TimeOfDay(secondOfDay: quietHours.zone.secondOfDay(atMilliseconds: $0))
    }
    return [
      .init(name: "local-time", value: local.map { .timeOfDay($0) } ?? .unknown),
      .init(name: "quiet-from", value: .timeOfDay(quietHours.start)),
      .init(name: "quiet-until", value: .timeOfDay(quietHours.end)),
    ]
  }

  private func drivingInputs(_ enter: Enter) -> [AlertCheck.Input] {
    guard let limit = options.maxAlertSpeedMetersPerSecond else { return [] }
    let speed = enter.speedMetersPerSecond
    return [
      .init(name: "speed", value: speed.isNaN ? .unknown : .metersPerSecond(speed)),
      .init(name: "last-driving", value: .instant(orUnknown: state.drivingMilliseconds)),
      .init(name: "limit", value: .metersPerSecond(limit)),
    ]
  }

  private func cooldownInputs(_ enter: Enter) -> [AlertCheck.Input] {
    let length: AlertCheck.Value =
      switch options.cooldown {
      case .none: .seconds(0)
      case .seconds(let seconds): .seconds(Double(seconds))
      case .forever: .unlimited
      }
    let last = state.alerted[enter.placeID] ?? nil
    return [
      .init(name: "last-alert", value: .instant(orUnknown: last)),
      .init(name: "cooldown", value: length),
    ]
  }
}

extension AlertCheck.Value {
  static func instant(orUnknown milliseconds: Int64?) -> AlertCheck.Value {
    milliseconds.map { .instant($0) } ?? .unknown
  }

  static func instant(orUnlimited milliseconds: Int64?) -> AlertCheck.Value {
    milliseconds.map { .instant($0) } ?? .unlimited
  }
}

extension UInt64 {
  /// The product, or the largest number where it would not fit.
  func multipliedClamped(by factor: UInt64) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
