import FencepostAnalysis
import FencepostPhones

extension PredictionSentences {
  /// What would help; empty if nothing was tried.
  ///
  /// A larger radius is preferred. Other changes are named only where no radius that was tried
  /// helps.
  var advice: String {
    guard let tried = prediction.tried else { return "" }
    guard let remedy = prediction.remedy else {
      guard !tried.isEmpty else { return "A larger radius would change little." }
      let others = tried.contains { $0.radiusMeters == nil }
      return others
        ? "No change that was tried makes a clear difference: larger radii, the circle on the "
          + "path, earlier lookups, watching the story all the time."
        : "No larger radius that was tried makes a clear difference."
    }
    let share = Self.phones(remedy.chance.shown.share)
    let none = "No larger radius that was tried makes a clear difference."
    return switch remedy.change {
    case .radius(let meters):
      "A radius of \(ReportNumber.distance(meters)) would make it \(share)."
    case .moved(let meters):
      "\(none) The circle moved by \(ReportNumber.distance(meters)), onto the path, would make it "
        + "\(share)."
    case .lookups(let meters):
      "\(none) An app that looks its stories up every \(ReportNumber.distance(meters)) would make "
        + "it \(share)."
    case .alwaysWatched:
      "\(none) With fewer stories around, so that the phone always watches this one, it would be "
        + "\(share)."
    }
  }
}
