import FencepostGeodesy

/// Where to decide on which side of a circle the device is.
///
/// Judged only at fixes, a circle that lies between two fixes is passed unseen.
public enum SideTest: String, Codable, CaseIterable, Sendable {
  /// Along the path: a crossing is where the path meets the edge.
  case path
  /// Only at fixes, as in most engines: a crossing is at the first fix on the other side.
  case fixes
}

/// How the accuracy of a fix affects its side.
///
/// Here d is the distance from the center, a the accuracy, r the radius and m the exit margin.
public enum AccuracyRule: String, Codable, CaseIterable, Sendable {
  /// Enters if d ≤ r; leaves if d > r + m.
  case ignore
  /// Enters if the circle contains the accuracy circle, d + a ≤ r; leaves if d − a > r + m.
  case contains
  /// Enters if the circle meets the accuracy circle, d − a ≤ r; leaves if d − a > r + m.
  case intersects
}

extension MonitoringOptions {
  /// Whether a device is inside a circle at a fix; `wasInside` is false at the start.
  func isInside(
    _ circle: Circle, wasInside: Bool, at position: Position, accuracyMeters: Double
  ) -> Bool {
    guard judgesAccuracy, accuracyMeters > 0 else {
      return wasInside
        ? exitCircle(of: circle)?.contains(position) ?? true : circle.contains(position)
    }
    let distance = circle.distanceMeters(from: position)
    if wasInside {
      guard let exit = exitCircle(of: circle) else { return true }
      return distance - accuracyMeters <= exit.radiusMeters
    }
    return accuracy == .contains
      ? distance + accuracyMeters <= circle.radiusMeters
      : distance - accuracyMeters <= circle.radiusMeters
  }

  var judgesAccuracy: Bool { test == .fixes && accuracy != .ignore }

  /// Whether the edges for entering and leaving differ, so that a side depends on the past.
  var hasHysteresis: Bool { exitMarginMeters > 0 || judgesAccuracy }
}

// MARK: - On a leg

extension MonitoringOptions {
  /// Whether the device is inside a circle at the current point of a leg.
  ///
  /// If sides are judged at fixes, that of the last fix counts until the leg arrives.
  func isInside(_ circle: Circle, wasInside: Bool, at leg: Engine.Leg) -> Bool {
    switch test {
    case .path:
      let edge = wasInside ? exitCircle(of: circle) : circle
      return edge.map { leg.isInside($0) } ?? true
    case .fixes:
      guard leg.fraction < 1, let start = leg.start else {
        return isInside(
          circle, wasInside: wasInside, at: leg.position,
          accuracyMeters: Double(leg.point.accuracyMeters))
      }
      return isInside(
        circle, wasInside: wasInside, at: Position(start.coordinate),
        accuracyMeters: Double(start.accuracyMeters))
    }
  }

  /// Whether a device that was outside is inside a circle at the start of a leg.
  func wasInside(_ circle: Circle, atStartOf leg: Engine.Leg) -> Bool {
    guard let start = leg.start else { return false }
    return isInside(
      circle, wasInside: false, at: Position(start.coordinate),
      accuracyMeters: Double(start.accuracyMeters))
  }

  /// The initial side of a newly monitored circle.
  func startingSide(of circle: Circle, at leg: Engine.Leg) -> Bool {
    // Nothing is entered between fixes, so an initial entry is reported at the next fix.
    guard test == .fixes else { return leg.isInside(circle) }
    if initial == .enter, leg.fraction < 1 { return false }
    return isInside(circle, wasInside: false, at: leg)
  }
}
