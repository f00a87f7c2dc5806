import FencepostGeodesy

/// Where the side of a circle is judged.
public enum SideTest: String, Codable, CaseIterable, Sendable {
  /// Along the path: a crossing is where the path meets the edge.
  case path
  /// At fixes only, as most engines do: a crossing is at the fix that lies on the other side.
  case fixes
}

/// What the accuracy of a fix means for its side.
///
/// With d the distance from the centre, a the accuracy, r the radius and m the exit margin:
public enum AccuracyRule: String, Codable, CaseIterable, Sendable {
  /// Inside where d ≤ r; left where d > r + m.
  case ignore
  /// Inside from where d + a ≤ r, the circle contains the accuracy circle; left where d − a > r + m.
  case contains
  /// Inside from where d − a ≤ r, both circles intersect; left where d − a > r + m.
  case intersects
}

extension MonitoringOptions {
  /// Whether a device is inside a circle at a fix.
  ///
  /// - Parameters:
  ///   - circle: The circle.
  ///   - wasInside: The side before the fix; false also where a side begins.
  ///   - position: Where the fix is.
  ///   - accuracyMeters: Its accuracy.
  /// - Returns: The side at the fix.
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

  /// Whether the accuracy of a fix decides on which side it is.
  var judgesAccuracy: Bool { test == .fixes && accuracy != .ignore }

  /// Whether the edge that one enters and the edge that one leaves differ, so that a side depends on
  /// the past.
  var hasHysteresis: Bool { exitMarginMeters > 0 || judgesAccuracy }
}

// MARK: - On a leg

extension MonitoringOptions {
  /// Whether the device is inside a circle where a leg has been walked to.
  ///
  /// If sides are judged at fixes and the leg has not arrived, the last fix decides.
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

  /// Whether a device that comes from outside is inside a circle where a leg starts.
  func wasInside(_ circle: Circle, atStartOf leg: Engine.Leg) -> Bool {
    guard let start = leg.start else { return false }
    return isInside(
      circle, wasInside: false, at: Position(start.coordinate),
      accuracyMeters: Double(start.accuracyMeters))
  }

  /// The side that a newly monitored circle takes.
  func startingSide(of circle: Circle, at leg: Engine.Leg) -> Bool {
    // Between fixes nothing is entered, so what fires when found inside fires at the next fix.
    guard test == .fixes else { return leg.isInside(circle) }
    if initial == .enter, leg.fraction < 1 { return false }
    return isInside(circle, wasInside: false, at: leg)
  }
}
