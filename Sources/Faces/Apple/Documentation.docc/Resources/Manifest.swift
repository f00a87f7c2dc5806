// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "StoryWalk",
  platforms: [.macOS(.v15), .iOS(.v16)],
  products: [.library(name: "StoryCore", targets: ["StoryCore"])],
  dependencies: [
    .package(path: "../fencepost", traits: [])
  ],
  targets: [
    // What the app and the replay share.
    .target(
      name: "StoryCore",
      dependencies: [.product(name: "FencepostApple", package: "fencepost")]),
    // Follows a recorded walk, on a Mac or on Linux.
    .executableTarget(name: "Replay", dependencies: ["StoryCore"]),
  ]
)
