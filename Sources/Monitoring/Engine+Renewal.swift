/// Asking the store anew although the path has not moved.
extension Engine {
  /// Renews the monitored set where the path stands, as after the store was edited.
  ///
  /// A region whose circle is the same keeps its side. One that is new, or was moved or given
  /// another radius, takes its side from where the path stands, and one that is gone is dropped; all
  /// of this silently, but for new ones under ``MonitoringOptions/InitialState/enter``.
  ///
  /// - Parameter events: Receives the refresh.
  /// - Returns: What the store must be asked, to be answered through ``resume(with:into:)``; nil
  ///   where no vertex has been taken yet.
  /// - Precondition: No request is open.
  public mutating func renew(into events: inout [EngineEvent]) -> CandidateRequest? {
    precondition(leg == nil, "the engine still awaits an answer")
    guard let previous = path.previous else { return nil }
    neighbourhood = nil
    path.forgetSurroundings()
    leg = Leg(arrivingAt: previous, from: nil)
    leg?.isRenewal = true
    guard options.followsReach else { return askForCandidates() }
    return ask(.containing, awaiting: .containing)
  }
}
