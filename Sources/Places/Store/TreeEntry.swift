/// A place as the trees know it.
struct TreeEntry {
  var key: Int64
  var longitude: Double
  var latitude: Double
  var radiusMeters: Double

  /// The place's cell; a tree of two dimensions leaves the reach out.
  var cell: PackedTree.Cell {
    let reach = radiusMeters / ReachBox.metersPerUnit
    return PackedTree.Cell(
      row: key,
      box: (
        PackedTree.down(longitude), PackedTree.up(longitude), PackedTree.down(latitude),
        PackedTree.up(latitude), PackedTree.down(reach),
        PackedTree.up(reach + ReachBox.thickness)
      ))
  }
}
