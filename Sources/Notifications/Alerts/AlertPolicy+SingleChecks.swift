import FencepostMonitoring

extension AlertPolicy {
  static let singleRules: [AlertCheck.Rule] = [.validity, .quietHours, .driving, .cooldown]

  func check(_ rule: AlertCheck.Rule, _ entry: Entry) -> AlertCheck {
    switch rule {
    case .validity: checkValidity(entry)
    case .quietHours: checkQuietHours(entry)
    case .driving: checkDriving(entry)
    case .cooldown: checkCooldown(entry)
    case .spot, .sameSecond, .budget: AlertCheck(rule, .notReached)
    }
  }

  private func checkValidity(_ entry: Entry) -> AlertCheck {
    let place = entry.place
    var reason: SuppressionReason?
    let time = options.dateMilliseconds(ofEntryAt: entry.timeMilliseconds)
    if let time {
      if let published = place.publishedMilliseconds, time < published {
        reason = .notPublished
      } else if let expires = place.expiresMilliseconds, time >= expires {
        reason = .expired
      }
    }
    var inputs: [AlertCheck.Input] = [
      .init(name: "entered", value: .instant(orUnknown: entry.timeMilliseconds)),
      .init(name: "published", value: .instant(orUnlimited: place.publishedMilliseconds)),
      .init(name: "expires", value: .instant(orUnlimited: place.expiresMilliseconds)),
    ]
    if let time, time != entry.timeMilliseconds {
      inputs.insert(.init(name: "counts-as", value: .instant(time)), at: 1)
    }
    return AlertCheck(.validity, isApplied: time != nil, refusing: reason, inputs: inputs)
  }

  private func checkQuietHours(_ entry: Entry) -> AlertCheck {
    guard let quietHours = options.quietHours else { return AlertCheck(.quietHours, .notApplied) }
    let time = entry.timeMilliseconds
    let local = time.flatMap {
      TimeOfDay(secondOfDay: quietHours.zone.secondOfDay(atMilliseconds: $0))
    }
    let isQuiet = time.map { quietHours.contains(milliseconds: $0) } ?? false
    return AlertCheck(
      .quietHours, isApplied: time != nil, refusing: isQuiet ? .quietHours : nil,
      inputs: [
        .init(name: "local-time", value: local.map { .timeOfDay($0) } ?? .unknown),
        .init(name: "quiet-from", value: .timeOfDay(quietHours.start)),
        .init(name: "quiet-until", value: .timeOfDay(quietHours.end)),
      ])
  }

  private func checkDriving(_ entry: Entry) -> AlertCheck {
    guard let limit = options.maxAlertSpeedMetersPerSecond else {
      return AlertCheck(.driving, .notApplied)
    }
    let speed = entry.speedMetersPerSecond
    let isDriving = speed > limit || isDrivingRemembered(at: entry.timeMilliseconds)
    return AlertCheck(
      .driving, isApplied: !speed.isNaN, refusing: isDriving ? .driving : nil,
      inputs: [
        .init(name: "speed", value: speed.isNaN ? .unknown : .metersPerSecond(speed)),
        .init(name: "last-driving", value: .instant(orUnknown: state.drivingMilliseconds)),
        .init(name: "limit", value: .metersPerSecond(limit)),
      ])
  }

  private func isDrivingRemembered(at timeMilliseconds: Int64?) -> Bool {
    guard let time = timeMilliseconds, let driving = state.drivingMilliseconds else { return false }
    return driving <= time && time - driving < Options.drivingMemoryMilliseconds
  }

  private func checkCooldown(_ entry: Entry) -> AlertCheck {
    let last = state.alerted[entry.place.id]
    var isApplied = true
    var isCooling = false
    let length: AlertCheck.Value
    switch options.cooldown {
    case .none:
      (isApplied, length) = (false, .seconds(0))
    case .forever:
      (isCooling, length) = (last != nil, .unlimited)
    case .seconds(let seconds):
      length = .seconds(Double(seconds))
      isApplied = entry.timeMilliseconds != nil
      if let time = entry.timeMilliseconds, let last = last ?? nil {
        // The parts of a file may be in any time order, so this checks both directions.
        let (needed, overflows) = seconds.magnitude.multipliedReportingOverflow(by: 1000)
        isCooling = overflows || (time - last).magnitude < needed
      }
    }
    return AlertCheck(
      .cooldown, isApplied: isApplied, refusing: isCooling ? .cooldown : nil,
      inputs: [
        .init(name: "entered", value: .instant(orUnknown: entry.timeMilliseconds)),
        .init(name: "last-alert", value: .instant(orUnknown: last ?? nil)),
        .init(name: "cooldown", value: length),
      ])
  }
}
