/// The checks that look at one entry and at what the policy remembers.
extension AlertPolicy {
  /// The result of a check of one entry: its outcome, and the reason if it refused.
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

  func check(_ rule: AlertCheck.Rule, _ entry: Entry) -> SingleResult {
    switch rule {
    case .validity: checkValidity(entry)
    case .quietHours: checkQuietHours(entry)
    case .driving: checkDriving(entry)
    case .cooldown: checkCooldown(entry)
    case .spot, .sameSecond, .budget: .notApplied
    }
  }

  private func checkValidity(_ entry: Entry) -> SingleResult {
    guard let time = entry.timeMilliseconds else { return .notApplied }
    if let published = entry.publishedMilliseconds, time < published {
      return .refused(.notPublished)
    }
    if let expires = entry.expiresMilliseconds, time >= expires { return .refused(.expired) }
    return .passed
  }

  private func checkQuietHours(_ entry: Entry) -> SingleResult {
    guard let quietHours = options.quietHours, let time = entry.timeMilliseconds else {
      return .notApplied
    }
    return quietHours.contains(milliseconds: time) ? .refused(.quietHours) : .passed
  }

  private func checkDriving(_ entry: Entry) -> SingleResult {
    guard let limit = options.maxAlertSpeedMetersPerSecond else { return .notApplied }
    if entry.speedMetersPerSecond > limit || isDrivingRemembered(at: entry.timeMilliseconds) {
      return .refused(.driving)
    }
    return entry.speedMetersPerSecond.isNaN ? .notApplied : .passed
  }

  private func isDrivingRemembered(at timeMilliseconds: Int64?) -> Bool {
    guard let time = timeMilliseconds, let driving = state.drivingMilliseconds else { return false }
    return driving <= time && time - driving < Options.drivingMemoryMilliseconds
  }

  private func checkCooldown(_ entry: Entry) -> SingleResult {
    let last = state.alerted[entry.placeID]
    switch options.cooldown {
    case .none:
      return .notApplied
    case .forever:
      return last == nil ? .passed : .refused(.cooldown)
    case .seconds(let seconds):
      guard let time = entry.timeMilliseconds else { return .notApplied }
      guard let last, let lastTime = last else { return .passed }
      // The parts of a file may come in any order of time, hence the distance either way.
      let distance = (time - lastTime).magnitude
      return distance < seconds.magnitude.multipliedClamped(by: 1000)
        ? .refused(.cooldown) : .passed
    }
  }

  /// What a check of one entry looked at.
  func inputs(of rule: AlertCheck.Rule, _ entry: Entry) -> [AlertCheck.Input] {
    let entered = AlertCheck.Input(
      name: "entered", value: .instant(orUnknown: entry.timeMilliseconds))
    switch rule {
    case .validity:
      return [
        entered,
        .init(
          name: "published", value: .instant(orUnlimited: entry.publishedMilliseconds)),
        .init(name: "expires", value: .instant(orUnlimited: entry.expiresMilliseconds)),
      ]
    case .quietHours: return quietHoursInputs(entry)
    case .driving: return drivingInputs(entry)
    case .cooldown: return [entered] + cooldownInputs(entry)
    case .spot, .sameSecond, .budget: return []
    }
  }

  private func quietHoursInputs(_ entry: Entry) -> [AlertCheck.Input] {
    guard let quietHours = options.quietHours else { return [] }
    let local = entry.timeMilliseconds.flatMap {
      TimeOfDay(secondOfDay: quietHours.zone.secondOfDay(atMilliseconds: $0))
    }
    return [
      .init(name: "local-time", value: local.map { .timeOfDay($0) } ?? .unknown),
      .init(name: "quiet-from", value: .timeOfDay(quietHours.start)),
      .init(name: "quiet-until", value: .timeOfDay(quietHours.end)),
    ]
  }

  private func drivingInputs(_ entry: Entry) -> [AlertCheck.Input] {
    guard let limit = options.maxAlertSpeedMetersPerSecond else { return [] }
    let speed = entry.speedMetersPerSecond
    return [
      .init(name: "speed", value: speed.isNaN ? .unknown : .metersPerSecond(speed)),
      .init(name: "last-driving", value: .instant(orUnknown: state.drivingMilliseconds)),
      .init(name: "limit", value: .metersPerSecond(limit)),
    ]
  }

  private func cooldownInputs(_ entry: Entry) -> [AlertCheck.Input] {
    let length: AlertCheck.Value =
      switch options.cooldown {
      case .none: .seconds(0)
      case .seconds(let seconds): .seconds(Double(seconds))
      case .forever: .unlimited
      }
    let last = state.alerted[entry.placeID] ?? nil
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
  /// The product, or the largest number if it overflows.
  func multipliedClamped(by factor: UInt64) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
