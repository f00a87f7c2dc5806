/// The page's fixed parts; the script fills them.
enum PageSections {
  static let map: StaticString = #"""
    <section id="where"><h2>Where it happens</h2>
    <p>Each line is a track, each circle a story. Choose a circle, a mark or a line to read about it;
    choose a story or a track in the tables below to find it here. What is drawn is simplified; what is
    counted is not. Everything on the map is also in the two tables.</p>
    <ul class="legend" aria-label="What the map shows">
    <li><label><input type="checkbox" id="show-alert" checked><span class="swatch alert"></span>alerts</label></li>
    <li><label><input type="checkbox" id="show-missed" checked><span class="swatch missed"></span>missed entries</label></li>
    <li><label><input type="checkbox" id="show-late" checked><span class="swatch late"></span>late entries</label></li>
    <li><label><input type="checkbox" id="show-suppressed" checked><span class="swatch suppressed"></span>suppressed entries</label></li>
    <li><label><input type="checkbox" id="show-crowd" checked><span class="swatch crowd"></span>crowded spots</label></li>
    <li><label><input type="checkbox" id="show-circle" checked><span class="swatch circle"></span>circles of stories (red where something is lost)</label></li>
    <li><label><input type="checkbox" id="show-track" checked><span class="swatch track"></span>tracks</label></li>
    </ul>
    <div id="map" role="application" aria-label="Map of tracks, stories and entries; the tables below hold the same"></div>
    <div class="mapbar"><button type="button" id="whole">Show everything</button>
    <label><input type="checkbox" id="show-streets"> Street map <span class="dim" id="streets-note"></span></label></div>
    <div id="detail" aria-live="polite"><p class="dim">Nothing is chosen yet.</p></div>
    </section>

    """#
  static let stories: StaticString = #"""
    <section id="all-stories"><h2>Stories</h2>
    <p>One row for each story: on how many tracks the path was inside its circle, and what became of that. The
    last column says why it did not alert.</p>
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
    <th scope="col"><button type="button" data-key="suppressed">Suppressed</button></th>
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
    <div class="controls"><label>Search <input type="search" id="tracks-search" placeholder="name of the track"></label></div>
    <div class="scroll"><table id="tracks"><caption>Numbers of entries into circles</caption><thead><tr>
    <th scope="col"><button type="button" data-key="name">Track</button></th>
    <th scope="col"><button type="button" data-key="km">km</button></th>
    <th scope="col"><button type="button" data-key="entries">Entries</button></th>
    <th scope="col"><button type="button" data-key="alerts">Alerts</button></th>
    <th scope="col"><button type="button" data-key="suppressed">Suppressed</button></th>
    <th scope="col"><button type="button" data-key="late">Late</button></th>
    <th scope="col"><button type="button" data-key="missed">Missed</button></th>
    <th scope="col"><button type="button" data-key="recall">Recall</button></th>
    <th scope="col"><button type="button" data-key="rate">Refreshes/km</button></th></tr></thead><tbody></tbody></table></div>
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
    <dt>monitored</dt><dd>A phone watches a limited number of circles at a time, 20 as a rule.</dd>
    <dt>refresh</dt><dd>The moment when the phone looks up the nearest places and watches those instead.</dd>
    <dt>entry</dt><dd>The path comes from outside a circle to inside it.</dd>
    <dt>alert</dt><dd>An entry that the phone saw and that the alert policy let through.</dd>
    <dt>suppressed</dt><dd>An entry that the phone saw and that the policy held back: cool-down, quiet hours, driving,
    another story at the same spot, not valid at that time, no slot free.</dd>
    <dt>late</dt><dd>An entry into a circle that was not monitored; a later refresh found the device inside, which is
    too late for an alert.</dd>
    <dt>missed</dt><dd>An entry into a circle that was not monitored, and nothing noticed before the device had left.</dd>
    <dt>inside from the start</dt><dd>The track began within the circle, so that nothing was entered.</dd>
    <dt>recall</dt><dd>Of the alerts that would come with every place monitored, the share that comes under the phone’s
    limits. The 95 % interval says how far chance in the choice of tracks can have moved it.</dd>
    <dt>nearest</dt><dd>The least distance of a path from the centre of the story’s circle.</dd>
    </dl></section>

    """#
}
