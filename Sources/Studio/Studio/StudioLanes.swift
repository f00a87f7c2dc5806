/// The desks of a studio: one for the setting that is tried, and one for the setting that it is compared with.
actor StudioLanes {
  /// The desk of the setting that is tried.
  nonisolated let main: StudioDesk
  private var pinned: StudioDesk?

  init(_ main: StudioDesk) {
    self.main = main
  }

  /// The name of the lane of the setting that another one is compared with.
  static let pinnedName = "pinned"

  /// The desk of a lane.
  func desk(of lane: String?) async -> StudioDesk {
    guard lane == Self.pinnedName else { return main }
    if let pinned { return pinned }
    let made = await main.makeAnother()
    // Another question may have come meanwhile.
    if let pinned { return pinned }
    pinned = made
    return made
  }

  /// Forgets the other setting, after a change of the tracks or of the store.
  func forgetPinned() { pinned = nil }
}
