// swift-tools-version: 6.2

import PackageDescription

// With Swift's libraries in it the program starts in three quarters of the time, and runs on machines
// that have no Swift. The flag alone does not name all the libraries that Foundation consists of.
// FENCEPOST_SWIFT=shared in the environment leaves them out, where a toolchain has no static ones.
let swiftInside: [LinkerSetting] =
  Context.environment["FENCEPOST_SWIFT"] == "shared"
  ? []
  : [.unsafeFlags(["-static-stdlib", "-use-ld=lld"], .when(platforms: [.linux]))]
    + [
      "CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections",
      "swiftSynchronization", "swift_RegexParser", "swift_StringProcessing",
    ].map { .linkedLibrary($0, .when(platforms: [.linux])) }

// Each arrow points from a stage of the pipeline to what it builds on; none points back. A target names
// every module that it imports: of others a change would not reach what was built before.
let package = Package(
  name: "fencepost",
  products: [
    .executable(name: "fencepost", targets: ["FencepostCLI"]),
    .library(name: "Geodesy", targets: ["Geodesy"]),
    .library(name: "Formats", targets: ["Formats"]),
    .library(name: "Fixes", targets: ["Fixes"]),
    .library(name: "Places", targets: ["Places"]),
    .library(name: "Monitoring", targets: ["Monitoring"]),
    .library(name: "Notifications", targets: ["Notifications"]),
    .library(name: "Fencepost", targets: ["Fencepost"]),
    .library(name: "Analysis", targets: ["Analysis"]),
    .library(name: "Reporting", targets: ["Reporting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CSpatiaLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CProj"),

    .target(name: "Geodesy", dependencies: ["CProj"]),
    .target(name: "Formats", dependencies: ["CLibXML2", "CZlib"]),
    .target(name: "Fixes", dependencies: ["Geodesy", "Formats"]),
    .target(
      name: "Places",
      dependencies: [
        "Geodesy", "Formats", "CSpatiaLite", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(name: "Monitoring", dependencies: ["Geodesy"]),
    .target(name: "StateFile", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .target(
      name: "Notifications", dependencies: ["Geodesy", "Formats", "Monitoring", "StateFile"]),
    .target(
      name: "Fencepost",
      dependencies: ["Geodesy", "Formats", "Fixes", "Places", "Monitoring", "Notifications"]),
    .target(
      name: "Analysis",
      dependencies: [
        "Geodesy", "Formats", "Fixes", "Places", "Monitoring", "Notifications", "Fencepost",
      ]),
    .target(
      name: "Reporting",
      dependencies: [
        "Geodesy", "Formats", "Fixes", "Monitoring", "Notifications", "Fencepost", "Analysis",
      ]),
    .target(
      name: "HTTP",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    .target(
      name: "Live",
      dependencies: [
        "Geodesy", "Formats", "Fixes", "Places", "Monitoring", "StateFile", "Notifications",
        "Fencepost", "Reporting", "HTTP",
      ]),
    .target(
      name: "Studio",
      dependencies: [
        "Geodesy", "Formats", "Fixes", "Places", "Monitoring", "Notifications", "Fencepost",
        "Analysis", "Reporting", "HTTP", "Live",
      ],
      // The pages are files, and the program is one file all the same.
      resources: [.embedInCode("Pages")]),
    .executableTarget(
      name: "FencepostCLI",
      dependencies: [
        "Geodesy", "Formats", "Fixes", "Places", "Monitoring", "StateFile", "Notifications",
        "Fencepost", "Analysis", "Reporting", "HTTP", "Live", "Studio",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      linkerSettings: swiftInside),

    .executableTarget(
      name: "Benchmark",
      dependencies: [
        "Analysis", "Fencepost", "Fixes", "Formats", "Geodesy", "Monitoring", "Places",
        "Reporting", "CSpatiaLite",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/Benchmark", exclude: ["rivals", "instructions.txt"]),

    // What several suites share.
    .target(name: "TestSupport", path: "Tests/Support"),
    // The sample stories and tracks, and what a replay of them said.
    .target(
      name: "Newsroom",
      dependencies: [
        "Geodesy", "Fixes", "Places", "Monitoring", "Notifications", "Fencepost", "Analysis",
        "Reporting",
      ],
      path: "Tests/Newsroom"),

    .testTarget(
      name: "GeodesyTests", dependencies: ["Geodesy", "CProj", "TestSupport"],
      exclude: ["Reference"]),
    .testTarget(name: "FormatsTests", dependencies: ["Formats", "TestSupport"]),
    .testTarget(
      name: "FixesTests", dependencies: ["Fixes", "Formats", "Geodesy", "TestSupport"],
      exclude: ["Hygiene/Recordings"]),
    .testTarget(name: "PlacesTests", dependencies: ["Geodesy", "Places", "TestSupport"]),
    .testTarget(
      name: "MonitoringTests", dependencies: ["CProj", "Geodesy", "Monitoring", "TestSupport"]),
    .testTarget(name: "StateFileTests", dependencies: ["StateFile"]),
    .testTarget(
      name: "NotificationsTests",
      dependencies: ["Geodesy", "Formats", "StateFile", "Notifications", "TestSupport"]),
    .testTarget(
      name: "FencepostTests",
      dependencies: [
        "Geodesy", "Fixes", "Places", "Monitoring", "Notifications", "Fencepost", "Reporting",
        "TestSupport", "Newsroom",
      ]),
    .testTarget(
      name: "AnalysisTests",
      dependencies: [
        "Geodesy", "Fixes", "Places", "Monitoring", "Notifications", "Fencepost", "Analysis",
        "Reporting", "TestSupport", "Newsroom",
      ]),
    .testTarget(
      name: "ReportingTests",
      dependencies: ["Geodesy", "Monitoring", "Fencepost", "Analysis", "Reporting"]),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TestSupport"]),
    .testTarget(
      name: "LiveTests",
      dependencies: [
        "Geodesy", "Formats", "Fixes", "Places", "Monitoring", "Notifications", "Fencepost",
        "Reporting", "HTTP", "Live", "TestSupport", "Newsroom",
      ]),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "Geodesy", "Formats", "Fixes", "Places", "Monitoring", "Notifications", "Fencepost",
        "Analysis", "Reporting", "HTTP", "Live", "Studio", "TestSupport", "Newsroom",
      ]),
    .testTarget(name: "CommandTests", dependencies: ["StateFile", "Fencepost", "TestSupport"]),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "CProj", "Geodesy", "Formats", "Fixes", "Places", "Monitoring", "Notifications",
        "Fencepost", "Live",
      ],
      path: "Tools/fuzz", exclude: ["CFuzzer", "Driver", "Package.swift", "run", "seeds"],
      sources: ["Targets", "Tests"]),
  ]
)

// FENCEPOST_ONLY=Monitoring,Fixes leaves only what MonitoringTests and FixesTests need, so that a change in
// one module is tested without building the others: Tools/test Monitoring Fixes.
if let modules = Context.environment["FENCEPOST_ONLY"]?.split(separator: ",") {
  var needed: Set<String> = []
  func need(_ name: String) {
    guard needed.insert(name).inserted else { return }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { need(name) }
    }
  }
  for module in modules { need("\(module)Tests") }
  // The tests of the commands run the program.
  if modules.contains("Command") { need("FencepostCLI") }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { $0.name != "fencepost" || !needed.contains("FencepostCLI") }
}

for target in package.targets
where target.type != .system && !["CProj", "CSpatiaLite"].contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .strictMemorySafety(),
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
