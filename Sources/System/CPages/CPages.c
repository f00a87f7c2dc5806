// The pages' files as bytes in the program. Some scripts consist of several files, joined by newlines.
#include "CPages.h"

// The compiler accepts the directive in all versions of C, but warns about it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char report_js[] = {
#embed "../../Use/Studio/Pages/basics.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/scale.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/dots.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-data.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/rows.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/fates.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-tables.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/world.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/drawing.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/map-view.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-choice.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-studio.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-cases.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-grid.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-detail.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/hexagons.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/map-names.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-density.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-map.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-plots.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-breakdowns.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-sweep.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-phones.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-export.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-ready.js"
};
static const unsigned char sweep_js[] = {
#embed "../../Use/Studio/Pages/basics.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-data.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-plots.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-sweep.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-export.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-ready.js"
};
static const unsigned char compare_js[] = {
#embed "../../Use/Studio/Pages/basics.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-data.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-plots.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-compare.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-export.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-ready.js"
};
static const unsigned char advice_js[] = {
#embed "../../Use/Studio/Pages/basics.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/world.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/drawing.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/map-view.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/advice.js"
};
static const unsigned char schedule_js[] = {
#embed "../../Use/Studio/Pages/basics.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-plots.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report-export.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/schedule.js"
};
static const unsigned char page_js[] = {
#embed "../../Use/Studio/Pages/basics.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/world.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/drawing.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/map-view.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/streets.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/map-names.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/live-map.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/live-words.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/live-calls.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/live.js"
};
static const unsigned char shared_js[] = {
#embed "../../Use/Studio/Pages/basics.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/scale.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/rows.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/fates.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/world.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/drawing.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/map-view.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/drawing-shift.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/hexagons.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/map-names.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/dots.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/streets.js"
};
static const unsigned char studio_css[] = {
#embed "../../Use/Studio/Pages/scale.css" suffix(, '\n', )
#embed "../../Use/Studio/Pages/live.css" suffix(, '\n', )
#embed "../../Use/Studio/Pages/studio.css" suffix(, '\n', )
#embed "../../Use/Studio/Pages/dots.css"
};
static const unsigned char report_html[] = {
#embed "../../Use/Studio/Pages/report.html"
};
static const unsigned char sweep_html[] = {
#embed "../../Use/Studio/Pages/sweep.html"
};
static const unsigned char compare_html[] = {
#embed "../../Use/Studio/Pages/compare.html"
};
static const unsigned char advice_html[] = {
#embed "../../Use/Studio/Pages/advice.html"
};
static const unsigned char schedule_html[] = {
#embed "../../Use/Studio/Pages/schedule.html"
};
static const unsigned char live_html[] = {
#embed "../../Use/Studio/Pages/live.html"
};
static const unsigned char studio_html[] = {
#embed "../../Use/Studio/Pages/studio.html"
};
static const unsigned char sweep_section_html[] = {
#embed "../../Use/Studio/Pages/sweep-section.html"
};
static const unsigned char phones_section_html[] = {
#embed "../../Use/Studio/Pages/phones-section.html"
};
static const unsigned char words_section_html[] = {
#embed "../../Use/Studio/Pages/words-section.html"
};
static const unsigned char report_css[] = {
#embed "../../Use/Studio/Pages/scale.css" suffix(, '\n', )
#embed "../../Use/Studio/Pages/report.css" suffix(, '\n', )
#embed "../../Use/Studio/Pages/dots.css"
};
static const unsigned char live_css[] = {
#embed "../../Use/Studio/Pages/scale.css" suffix(, '\n', )
#embed "../../Use/Studio/Pages/live.css"
};
static const unsigned char engine_worker_js[] = {
#embed "../../Faces/Browser/engine.js" suffix(, '\n', )
#embed "../../Use/Studio/Pages/engine-worker.js"
};
// Tools/packaging/wasm --update makes it of Faces/Browser and other sources.
static const unsigned char engine_wasm_gz[] = {
#embed "../../Use/Studio/Pages/engine.wasm.gz"
};
static const unsigned char sample_ride_gpx_gz[] = {
#embed "../../Use/Studio/Pages/sample-ride.gpx.gz"
};
static const unsigned char sample_stories_csv_gz[] = {
#embed "../../Use/Studio/Pages/sample-stories.csv.gz"
};
static const unsigned char studio_address_js[] = {
#embed "../../Use/Studio/Pages/studio-address.js"
};
static const unsigned char studio_advice_js[] = {
#embed "../../Use/Studio/Pages/studio-advice.js"
};
static const unsigned char studio_ask_js[] = {
#embed "../../Use/Studio/Pages/studio-ask.js"
};
static const unsigned char studio_chance_js[] = {
#embed "../../Use/Studio/Pages/studio-chance.js"
};
static const unsigned char studio_clash_js[] = {
#embed "../../Use/Studio/Pages/studio-clash.js"
};
static const unsigned char studio_clock_js[] = {
#embed "../../Use/Studio/Pages/studio-clock.js"
};
static const unsigned char studio_drag_js[] = {
#embed "../../Use/Studio/Pages/studio-drag.js"
};
static const unsigned char studio_edits_js[] = {
#embed "../../Use/Studio/Pages/studio-edits.js"
};
static const unsigned char studio_engine_js[] = {
#embed "../../Use/Studio/Pages/studio-engine.js"
};
static const unsigned char studio_explain_js[] = {
#embed "../../Use/Studio/Pages/studio-explain.js"
};
static const unsigned char studio_fates_js[] = {
#embed "../../Use/Studio/Pages/studio-fates.js"
};
static const unsigned char studio_files_js[] = {
#embed "../../Use/Studio/Pages/studio-files.js"
};
static const unsigned char studio_follow_js[] = {
#embed "../../Use/Studio/Pages/studio-follow.js"
};
static const unsigned char studio_frames_js[] = {
#embed "../../Use/Studio/Pages/studio-frames.js"
};
static const unsigned char studio_goto_js[] = {
#embed "../../Use/Studio/Pages/studio-goto.js"
};
static const unsigned char studio_hexagons_js[] = {
#embed "../../Use/Studio/Pages/studio-hexagons.js"
};
static const unsigned char studio_history_js[] = {
#embed "../../Use/Studio/Pages/studio-history.js"
};
static const unsigned char studio_grid_js[] = {
#embed "../../Use/Studio/Pages/studio-grid.js"
};
static const unsigned char studio_buttons_js[] = {
#embed "../../Use/Studio/Pages/studio-buttons.js"
};
static const unsigned char studio_keys_js[] = {
#embed "../../Use/Studio/Pages/studio-keys.js"
};
static const unsigned char studio_legend_js[] = {
#embed "../../Use/Studio/Pages/studio-legend.js"
};
static const unsigned char studio_link_js[] = {
#embed "../../Use/Studio/Pages/studio-link.js"
};
static const unsigned char studio_lists_js[] = {
#embed "../../Use/Studio/Pages/studio-lists.js"
};
static const unsigned char studio_looks_js[] = {
#embed "../../Use/Studio/Pages/studio-looks.js"
};
static const unsigned char studio_map_js[] = {
#embed "../../Use/Studio/Pages/studio-map.js"
};
static const unsigned char studio_moment_js[] = {
#embed "../../Use/Studio/Pages/studio-moment.js"
};
static const unsigned char studio_phones_js[] = {
#embed "../../Use/Studio/Pages/studio-phones.js"
};
static const unsigned char studio_names_js[] = {
#embed "../../Use/Studio/Pages/studio-names.js"
};
static const unsigned char studio_news_js[] = {
#embed "../../Use/Studio/Pages/studio-news.js"
};
static const unsigned char studio_results_js[] = {
#embed "../../Use/Studio/Pages/studio-results.js"
};
static const unsigned char studio_rows_js[] = {
#embed "../../Use/Studio/Pages/studio-rows.js"
};
static const unsigned char studio_rules_js[] = {
#embed "../../Use/Studio/Pages/studio-rules.js"
};
static const unsigned char studio_save_js[] = {
#embed "../../Use/Studio/Pages/studio-save.js"
};
static const unsigned char studio_sent_js[] = {
#embed "../../Use/Studio/Pages/studio-sent.js"
};
static const unsigned char studio_session_js[] = {
#embed "../../Use/Studio/Pages/studio-session.js"
};
static const unsigned char studio_spoken_js[] = {
#embed "../../Use/Studio/Pages/studio-spoken.js"
};
static const unsigned char studio_stories_js[] = {
#embed "../../Use/Studio/Pages/studio-stories.js"
};
static const unsigned char studio_story_js[] = {
#embed "../../Use/Studio/Pages/studio-story.js"
};
static const unsigned char studio_timeline_js[] = {
#embed "../../Use/Studio/Pages/studio-timeline.js"
};
static const unsigned char studio_view_js[] = {
#embed "../../Use/Studio/Pages/studio-view.js"
};
static const unsigned char studio_wire_js[] = {
#embed "../../Use/Studio/Pages/studio-wire.js"
};
static const unsigned char studio_words_js[] = {
#embed "../../Use/Studio/Pages/studio-words.js"
};
static const unsigned char studio_zone_js[] = {
#embed "../../Use/Studio/Pages/studio-zone.js"
};
static const unsigned char studio_range_js[] = {
#embed "../../Use/Studio/Pages/studio-range.js"
};
static const unsigned char studio_units_js[] = {
#embed "../../Use/Studio/Pages/studio-units.js"
};
static const unsigned char studio_walks_js[] = {
#embed "../../Use/Studio/Pages/studio-walks.js"
};
static const unsigned char studio_js[] = {
#embed "../../Use/Studio/Pages/studio.js"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}
static const cpages_file files[] = {
    FILE_OF("report.js", report_js),
    FILE_OF("sweep.js", sweep_js),
    FILE_OF("compare.js", compare_js),
    FILE_OF("advice.js", advice_js),
    FILE_OF("schedule.js", schedule_js),
    FILE_OF("page.js", page_js),
    FILE_OF("shared.js", shared_js),
    FILE_OF("studio.css", studio_css),
    FILE_OF("report.html", report_html),
    FILE_OF("sweep.html", sweep_html),
    FILE_OF("compare.html", compare_html),
    FILE_OF("advice.html", advice_html),
    FILE_OF("schedule.html", schedule_html),
    FILE_OF("live.html", live_html),
    FILE_OF("studio.html", studio_html),
    FILE_OF("sweep-section.html", sweep_section_html),
    FILE_OF("phones-section.html", phones_section_html),
    FILE_OF("words-section.html", words_section_html),
    FILE_OF("report.css", report_css),
    FILE_OF("live.css", live_css),
    FILE_OF("engine-worker.js", engine_worker_js),
    FILE_OF("engine.wasm.gz", engine_wasm_gz),
    FILE_OF("sample-ride.gpx.gz", sample_ride_gpx_gz),
    FILE_OF("sample-stories.csv.gz", sample_stories_csv_gz),
    FILE_OF("studio-address.js", studio_address_js),
    FILE_OF("studio-advice.js", studio_advice_js),
    FILE_OF("studio-ask.js", studio_ask_js),
    FILE_OF("studio-chance.js", studio_chance_js),
    FILE_OF("studio-clash.js", studio_clash_js),
    FILE_OF("studio-clock.js", studio_clock_js),
    FILE_OF("studio-drag.js", studio_drag_js),
    FILE_OF("studio-edits.js", studio_edits_js),
    FILE_OF("studio-engine.js", studio_engine_js),
    FILE_OF("studio-explain.js", studio_explain_js),
    FILE_OF("studio-fates.js", studio_fates_js),
    FILE_OF("studio-files.js", studio_files_js),
    FILE_OF("studio-follow.js", studio_follow_js),
    FILE_OF("studio-frames.js", studio_frames_js),
    FILE_OF("studio-goto.js", studio_goto_js),
    FILE_OF("studio-hexagons.js", studio_hexagons_js),
    FILE_OF("studio-history.js", studio_history_js),
    FILE_OF("studio-grid.js", studio_grid_js),
    FILE_OF("studio-buttons.js", studio_buttons_js),
    FILE_OF("studio-keys.js", studio_keys_js),
    FILE_OF("studio-legend.js", studio_legend_js),
    FILE_OF("studio-link.js", studio_link_js),
    FILE_OF("studio-lists.js", studio_lists_js),
    FILE_OF("studio-looks.js", studio_looks_js),
    FILE_OF("studio-map.js", studio_map_js),
    FILE_OF("studio-moment.js", studio_moment_js),
    FILE_OF("studio-phones.js", studio_phones_js),
    FILE_OF("studio-names.js", studio_names_js),
    FILE_OF("studio-news.js", studio_news_js),
    FILE_OF("studio-results.js", studio_results_js),
    FILE_OF("studio-rows.js", studio_rows_js),
    FILE_OF("studio-rules.js", studio_rules_js),
    FILE_OF("studio-save.js", studio_save_js),
    FILE_OF("studio-sent.js", studio_sent_js),
    FILE_OF("studio-session.js", studio_session_js),
    FILE_OF("studio-spoken.js", studio_spoken_js),
    FILE_OF("studio-stories.js", studio_stories_js),
    FILE_OF("studio-story.js", studio_story_js),
    FILE_OF("studio-timeline.js", studio_timeline_js),
    FILE_OF("studio-view.js", studio_view_js),
    FILE_OF("studio-wire.js", studio_wire_js),
    FILE_OF("studio-words.js", studio_words_js),
    FILE_OF("studio-zone.js", studio_zone_js),
    FILE_OF("studio-range.js", studio_range_js),
    FILE_OF("studio-units.js", studio_units_js),
    FILE_OF("studio-walks.js", studio_walks_js),
    FILE_OF("studio.js", studio_js),
};

const cpages_file *cpages_at(size_t index) {
  return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
