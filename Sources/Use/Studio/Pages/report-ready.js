// Builds the page.

if (data.stories) {
  makeTables((choice) => choose(choice, true));
  openGrid();
  makeMap();
  showDetail(null);
  followAddresses();
}
for (const draw of plots) draw();
offerDownloads();
document.documentElement.dataset.ready = 'true';
