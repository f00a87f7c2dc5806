import Analysis

/// The page's fixed parts; the script fills them.
enum PageSections {
  static let map: StaticString = #"""
    <section id="where"><h2>Where it happens</h2>
    <p>Each line is a track, each circle a story that alerts when a path comes in. Choose a mark, a circle or a
    line to read about it, or a story or a track in the tables below to find it here: they hold all that the map
    shows. What is drawn is simplified, what is counted is not.</p>
    <ul class="legend" aria-label="What the map shows">
    <li><label><input type="checkbox" id="show-alert" checked><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="6.5" fill="#00a57c" stroke="#004d3a" stroke-width="2"/></svg>alert</label></li>
    <li><label><input type="checkbox" id="show-missed" checked><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><path d="M4 4 16 16M16 4 4 16" stroke="#d6390b" stroke-width="4.5"/></svg>missed: not watched, never noticed</label></li>
    <li><label><input type="checkbox" id="show-late" checked><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3 17 16H3Z" fill="#ffc233" stroke="#7a4b00" stroke-width="2"/></svg>late: noticed when inside already</label></li>
    <li><label><input type="checkbox" id="show-suppressed" checked><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3 17 10 10 17 3 10Z" fill="#c3cad1" stroke="#4f5a66" stroke-width="2"/></svg>held back on purpose</label></li>
    <li><label><input type="checkbox" id="show-crowd" checked><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><path d="M4 4H16V16H4Z" fill="#9b59b6" stroke="#4d1458" stroke-width="2"/></svg>too many circles overlap</label></li>
    <li><label><input type="checkbox" id="show-circle" checked><svg class="key wide" viewBox="0 0 40 20" aria-hidden="true"><circle cx="10" cy="10" r="8" fill="#2f74c029" stroke="#2f74c0" stroke-width="2"/><circle cx="30" cy="10" r="8" fill="#d6390b2e" stroke="#d6390b" stroke-width="2"/></svg>circles of stories, red where something is lost</label></li>
    <li><label><input type="checkbox" id="show-track" checked><svg class="key wide" viewBox="0 0 40 20" aria-hidden="true"><path d="M2 14C14 2 24 20 38 6" fill="none" stroke="#3d5570" stroke-width="2.5"/></svg>tracks</label></li>
    </ul>
    <div id="map" role="application" aria-label="Map of tracks, stories and entries; the tables below hold the same"></div>
    <div class="mapbar"><button type="button" id="whole">Show everything</button>
    <label><input type="checkbox" id="show-streets"> Street map <span class="dim" id="streets-note"></span></label></div>
    <div id="detail" aria-live="polite"><p class="dim">Nothing is chosen yet.</p></div>
    </section>

    """#
  static let stories: StaticString = #"""
    <section id="all-stories"><h2>Stories</h2>
    <p>One row for each story: on how many tracks the path was inside its circle, and what became of that. The last
    column says why it did not alert. Choose a story to see it on the map.</p>
    <div class="controls"><label>Search <input type="search" id="stories-search" placeholder="title, id or category"></label>
    <label>Show <select id="stories-filter"><option value="all">all stories</option>
    <option value="met">on the way of a track</option><option value="lost">late or missed somewhere</option>
    <option value="silent">on the way, but never alerted</option>
    <option value="never">never on the way</option></select></label></div>
    <div class="scroll"><table id="stories"><caption>Numbers of tracks, except alerts and recall</caption><thead><tr>
    <th scope="col"><button type="button" data-key="title">Story</button></th>
    <th scope="col" class="left"><button type="button" data-key="category">Category</button></th>
    <th scope="col"><button type="button" data-key="met">On the way</button></th>
    <th scope="col"><button type="button" data-key="alerted">Alerted</button></th>
    <th scope="col"><button type="button" data-key="suppressed">Held back</button></th>
    <th scope="col"><button type="button" data-key="late">Late</button></th>
    <th scope="col"><button type="button" data-key="missed">Missed</button></th>
    <th scope="col"><button type="button" data-key="alerts">Alerts</button></th>
    <th scope="col"><button type="button" data-key="recall">Recall</button></th>
    <th scope="col"><button type="button" data-key="nearest">Nearest</button></th>
    <th scope="col" class="left">If it did not alert, why</th></tr></thead><tbody></tbody></table></div>
    <div class="pager"><button type="button" id="stories-back">Back</button><span id="stories-range" aria-live="polite"></span>
    <button type="button" id="stories-next">Next</button></div></section>

    """#
  static let tracks: StaticString = #"""
    <section id="all-tracks"><h2>Tracks</h2>
    <p>One row for each track. Choose a track to see it on the map.</p>
    <div class="controls"><label>Search <input type="search" id="tracks-search" placeholder="name of the track"></label></div>
    <div class="scroll"><table id="tracks"><caption>Numbers of entries into circles</caption><thead><tr>
    <th scope="col"><button type="button" data-key="name">Track</button></th>
    <th scope="col"><button type="button" data-key="km">km</button></th>
    <th scope="col"><button type="button" data-key="entries">Entries</button></th>
    <th scope="col"><button type="button" data-key="alerts">Alerts</button></th>
    <th scope="col"><button type="button" data-key="suppressed">Held back</button></th>
    <th scope="col"><button type="button" data-key="late">Late</button></th>
    <th scope="col"><button type="button" data-key="missed">Missed</button></th>
    <th scope="col"><button type="button" data-key="recall">Recall</button></th>
    <th scope="col"><button type="button" data-key="rate">Refreshes/km</button></th>
    <th scope="col" class="left"><button type="button" data-key="rejected">Refused fixes</button></th></tr></thead><tbody></tbody></table></div>
    <div class="pager"><button type="button" id="tracks-back">Back</button><span id="tracks-range" aria-live="polite"></span>
    <button type="button" id="tracks-next">Next</button></div></section>

    """#
  static let hours: StaticString = #"""
    <section id="when"><h2>Alerts by hour</h2><div class="plots"><div id="hours-plot"></div>
    <div class="scroll" id="hours-table" tabindex="0"></div></div></section>

    """#
  static let sweep: StaticString = #"""
    <section id="settings"><h2>What other settings would lose</h2>
    <p>Recall of each setting that was tried, and what it costs: refreshes a kilometre is what the battery
    pays. The adaptive refresh has no distance of its own, so that it is in the first plot only.</p>
    <div class="plots"><div><h3>Recall against the limit</h3><div id="limit-plot"></div></div>
    <div><h3>Recall against the significant change</h3><div id="threshold-plot"></div></div></div>
    <div class="scroll" id="sweep-table" tabindex="0"></div></section>

    """#
  static let words: StaticString = #"""
    <section id="words"><h2>What the words mean</h2><dl class="words">
    <dt>story, circle</dt><dd>A place with a story, and the circle around it whose edge sets off an alert.</dd>
    <dt>watched (monitored)</dt><dd>A phone watches a limited number of circles at a time, 20 as a rule.</dd>
    <dt>refresh</dt><dd>The moment when the phone looks up the nearest places and watches those instead.</dd>
    <dt>entry</dt><dd>The path comes from outside a circle to inside it.</dd>
    <dt>alert</dt><dd>An entry that the phone saw and that the alert policy let through.</dd>
    <dt>held back (suppressed)</dt><dd>An entry that the phone saw and that the alert policy let not through: the story had
    alerted not long before, quiet hours, driving, another story at the same spot, not valid at that time, no slot
    free.</dd>
    <dt>late</dt><dd>An entry into a circle that was not watched; a later refresh found the device inside, which is
    too late for an alert.</dd>
    <dt>missed</dt><dd>An entry into a circle that was not watched, and nothing noticed before the device had left.</dd>
    <dt>adaptive refresh</dt><dd>A refresh just before the path can reach a circle that is not watched, instead of one every so
    many metres. It loses nothing except where more circles overlap than can be watched.</dd>
    <dt>inside from the start</dt><dd>The track began within the circle, so that nothing was entered.</dd>
    <dt>recall</dt><dd>Of the alerts that would come with every place watched, the share that comes under the phone’s
    limits. The 95 % interval says how far chance in the choice of tracks can have moved it.</dd>
    <dt>nearest</dt><dd>The least distance of a path from the centre of the story’s circle.</dd>
    </dl></section>

    """#
}
