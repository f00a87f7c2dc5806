package import FencepostPlaces

extension StoryIndex {
  /// Indexes all places of a store.
  package init(_ store: PlaceStore) throws(PlaceStoreError) {
    let reader = try store.makeReader()
    var collector = Collector(capacity: try reader.count())
    try reader.list { place in
      collector.take(place)
      return true
    }
    collector.sort()
    self.init(collector)
  }
}
