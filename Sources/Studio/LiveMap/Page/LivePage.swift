/// The page's markup: an empty frame that the script fills.
enum LivePage {
  /// Where street tiles come from, when the user asks for them.
  static let tileOrigin = "https://tile.openstreetmap.org"

  static let html = #"""
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6.5' fill='none' stroke='%230b7a5c' stroke-width='2'/%3E%3Ccircle cx='8' cy='8' r='2.6' fill='%230b5cad'/%3E%3C/svg%3E">
    <title>Fencepost live</title>
    <link rel="stylesheet" href="leaflet.css">
    <link rel="stylesheet" href="page.css">
    <script src="leaflet.js" defer></script>
    <script src="page.js" defer></script>
    </head>
    <body>
    <a class="skip" href="#alerts-head">Skip to the alerts</a>
    <header>
    <h1>Fencepost <span>live</span></h1>
    <p id="source"></p>
    <p id="link" class="pill" data-state="wait" role="status">connecting</p>
    </header>
    <noscript><p class="notice">This page needs JavaScript, which it loads from here only.</p></noscript>
    <main>
    <section class="stage" aria-labelledby="map-head">
    <h2 id="map-head" class="hidden">Map</h2>
    <div id="map" role="region" aria-label="Map of the path, the monitored circles and the alerts; the tables beside it say the same"></div>
    <div id="toast" role="status" aria-live="polite"></div>
    <div class="tools" role="group" aria-label="View">
    <button type="button" id="follow" aria-pressed="true">Follow</button>
    <button type="button" id="whole">Whole path</button>
    <label id="streets-label"><input type="checkbox" id="streets"> Streets <span id="streets-note"></span></label>
    </div>
    </section>
    <div class="side">
    <section class="card" aria-labelledby="now-head">
    <h2 id="now-head">Now</h2>
    <p id="chooser" hidden><label for="device">Device</label>
    <select id="device"></select></p>
    <p id="next" class="next">Waiting for a first fix.</p>
    <dl class="facts">
    <div><dt>Position</dt><dd id="fact-position">–</dd></div>
    <div><dt>Time</dt><dd id="fact-time">–</dd></div>
    <div><dt>Speed</dt><dd id="fact-speed">–</dd></div>
    <div><dt>Accuracy</dt><dd id="fact-accuracy">–</dd></div>
    <div><dt>Fixes</dt><dd id="fact-fixes">0</dd></div>
    <div><dt>Monitored</dt><dd id="fact-monitored">0</dd></div>
    </dl>
    <p id="rule" class="dim"></p>
    </section>
    <section class="card" aria-labelledby="alerts-head">
    <h2 id="alerts-head" tabindex="-1">Alerts <span class="count" id="alert-count">0</span></h2>
    <p class="empty" id="no-alerts">None yet.</p>
    <ol id="alerts" class="events" reversed></ol>
    </section>
    <section class="card" aria-labelledby="quiet-head">
    <h2 id="quiet-head">Held back <span class="count" id="quiet-count">0</span></h2>
    <p class="empty" id="no-quiet">No entry was suppressed.</p>
    <ol id="quiet" class="events" reversed></ol>
    </section>
    <section class="card" aria-labelledby="monitored-head">
    <h2 id="monitored-head">Monitored circles</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="monitored-head">
    <table>
    <thead><tr><th scope="col">Place</th><th scope="col">To its edge</th><th scope="col">Radius</th></tr></thead>
    <tbody id="monitored"></tbody>
    </table>
    </div>
    <p class="empty" id="no-monitored">None yet.</p>
    </section>
    </div>
    </main>
    <footer><p><span class="key you"></span> you <span class="key ring"></span> monitored
    <span class="key in"></span> inside <span class="key dot"></span> place near by
    <span class="key hit"></span> alert <span class="key held"></span> held back</p>
    <p>Map by Leaflet (BSD-2-Clause).</p></footer>
    </body>
    </html>
    """#
}
