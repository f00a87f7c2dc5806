/// How the page looks: light and dark, on a desk and on a phone.
enum LiveStyle {
  static let css = #"""
    :root{--ink:#16212d;--soft:#4a5968;--line:#d3dae1;--wash:#eef1f4;--paper:#fff;--back:#f4f6f8;
    --bar:#10243a;--bar-ink:#fff;--bar-soft:#c4d3e2;--accent:#0b5cad;--you:#0b5cad;--hit:#00795a;
    --hit-wash:#e0f3ec;--held:#6a5a2c;--held-wash:#f6f0df;--ring:#2f74c0;--ring-fill:#2f74c0;
    --in:#00795a;--dot:#7d8894;--land:#eef1f0;--grid:#dfe5e6;--shadow:0 1px 2px #10243a1f}
    @media (prefers-color-scheme:dark){:root{--ink:#e7edf3;--soft:#a5b4c3;--line:#2d3a47;
    --wash:#1c2732;--paper:#151e28;--back:#0e151d;--bar:#0a1119;--bar-ink:#f2f6fa;
    --bar-soft:#9fb2c5;--accent:#7cbcff;--you:#4aa3ff;--hit:#3ddba6;--hit-wash:#10302a;
    --held:#dcc27a;--held-wash:#2a2517;--ring:#7cb5f2;--ring-fill:#4a90d9;--in:#3ddba6;
    --dot:#8797a6;--land:#131c25;--grid:#1e2a36;--shadow:none}}
    *{box-sizing:border-box}
    html,body{margin:0;height:100%}
    body{display:flex;flex-direction:column;min-height:100%;color:var(--ink);background:var(--back);
    font:16px/1.45 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
    :focus-visible{outline:3px solid #f2a900;outline-offset:2px}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    [hidden]{display:none!important}
    .skip{position:absolute;left:-999rem}
    .skip:focus{left:1rem;top:1rem;background:#fff;color:#000;padding:.5rem 1rem;z-index:3000}
    .notice{margin:0;padding:.8rem 1rem;background:var(--held-wash);color:var(--held)}
    header{display:flex;align-items:center;gap:.3rem 1rem;padding:.55rem 1rem;background:var(--bar);
    color:var(--bar-ink);flex:none;flex-wrap:wrap}
    h1{font-size:1.15rem;margin:0;font-weight:650;letter-spacing:.01em}
    h1 span{font-weight:400;color:var(--bar-soft)}
    header p{margin:0}
    #source{color:var(--bar-soft);font-size:.9rem;flex:1;min-width:6rem;overflow-wrap:anywhere}
    .pill{display:inline-flex;align-items:center;gap:.45rem;padding:.15rem .7rem;border-radius:1rem;
    background:#ffffff1f;font-size:.88rem;white-space:nowrap}
    .pill::before{content:"";width:.6rem;height:.6rem;border-radius:50%;background:#f2b632}
    .pill[data-state=live]::before{background:#35d39a}
    .pill[data-state=gone]::before{background:#ff7a59}
    .pill[data-state=over]::before{background:#9fb2c5}
    main{flex:1;min-height:0;display:grid;grid-template-columns:minmax(0,1fr) minmax(20rem,26rem)}
    .stage{position:relative;min-height:0}
    #map{position:absolute;inset:0;background:var(--land);z-index:0}
    .side{overflow-y:auto;padding:.8rem;display:flex;flex-direction:column;gap:.8rem;min-height:0;
    border-left:1px solid var(--line)}
    .card{background:var(--paper);border:1px solid var(--line);border-radius:.6rem;
    padding:.75rem .9rem;box-shadow:var(--shadow);flex:none}
    h2{font-size:1rem;margin:0 0 .45rem;font-weight:650}
    .count{display:inline-block;min-width:1.6em;text-align:center;padding:0 .45em;border-radius:1em;
    background:var(--wash);color:var(--soft);font-size:.85rem;font-weight:600;
    font-variant-numeric:tabular-nums}
    .dim,.empty{color:var(--soft);font-size:.9rem;margin:.35rem 0 0}
    .next{margin:0 0 .55rem;font-size:1.02rem;overflow-wrap:anywhere}
    .next strong{color:var(--hit)}
    #chooser{display:flex;gap:.6rem;align-items:center;margin:0 0 .55rem}
    select{font:inherit;flex:1;min-width:0;padding:.4rem .5rem;border:1px solid var(--soft);
    border-radius:.4rem;background:var(--paper);color:inherit}
    .facts{display:grid;grid-template-columns:1fr 1fr;gap:.3rem 1rem;margin:0}
    .facts div{display:flex;flex-direction:column;min-width:0}
    .facts div:first-child,.facts div:nth-child(2){grid-column:span 2;flex-direction:row;
    justify-content:space-between;gap:1rem;align-items:baseline}
    .facts div:nth-child(n+3){flex-direction:row;justify-content:space-between;gap:.6rem;
    align-items:baseline}
    dt{color:var(--soft);font-size:.86rem}
    dd{margin:0;font-variant-numeric:tabular-nums;overflow-wrap:anywhere;text-align:right}
    .events{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:.45rem;
    max-height:24rem;overflow-y:auto}
    #quiet{max-height:16rem}
    .events li{border-left:4px solid var(--hit);background:var(--hit-wash);
    border-radius:0 .4rem .4rem 0;padding:.45rem .65rem}
    #quiet li{border-left-color:var(--held);background:var(--held-wash)}
    .events .row{display:flex;gap:.8rem;justify-content:space-between;align-items:baseline}
    .events button{font:inherit;font-weight:600;border:0;background:none;color:inherit;padding:0;
    text-align:left;cursor:pointer;overflow-wrap:anywhere}
    .events button:hover{text-decoration:underline}
    .events time{color:var(--soft);font-size:.86rem;white-space:nowrap;
    font-variant-numeric:tabular-nums}
    .events p{margin:.2rem 0 0;font-size:.92rem;overflow-wrap:anywhere}
    .events .why{color:var(--held)}
    .events .meta{color:var(--soft);font-size:.86rem}
    .fresh{animation:fresh 1.6s ease-out}
    @keyframes fresh{from{background:#ffd54a}}
    a{color:var(--accent)}
    .scroll{max-height:22rem;overflow:auto}
    table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
    th,td{padding:.28rem .5rem;text-align:right;border-bottom:1px solid var(--line);
    vertical-align:top;white-space:nowrap}
    th{position:sticky;top:0;background:var(--paper);color:var(--soft);font-weight:600;
    font-size:.86rem}
    th:first-child,td:first-child{text-align:left;white-space:normal;padding-left:0;
    overflow-wrap:anywhere}
    tr.inside td{color:var(--in);font-weight:600}
    .tools{position:absolute;left:.7rem;bottom:.7rem;z-index:1000;display:flex;gap:.45rem;
    flex-wrap:wrap;max-width:calc(100% - 1.4rem)}
    .tools button,.tools label{font:inherit;font-size:.92rem;padding:.42rem .8rem;
    border:1px solid var(--line);border-radius:.5rem;background:var(--paper);color:inherit;
    cursor:pointer;box-shadow:0 1px 4px #0003}
    .tools button[aria-pressed=true]{background:var(--accent);border-color:var(--accent);
    color:var(--paper)}
    .tools label:focus-within{outline:3px solid #f2a900;outline-offset:2px}
    #streets-note{color:var(--soft);font-size:.84rem}
    #toast{position:absolute;z-index:1000;top:.8rem;left:50%;transform:translateX(-50%);
    max-width:min(34rem,calc(100% - 7rem));pointer-events:none}
    #toast p{margin:0;padding:.6rem 1.1rem;border-radius:.6rem;background:var(--hit);
    color:var(--paper);font-weight:650;font-size:1.08rem;box-shadow:0 3px 14px #0005;
    overflow-wrap:anywhere;text-align:center}
    footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.2rem 1.5rem;flex:none;
    padding:.35rem 1rem;color:var(--soft);font-size:.84rem;border-top:1px solid var(--line);
    background:var(--paper)}
    footer p{margin:0}
    .key{display:inline-block;width:.8rem;height:.8rem;border-radius:50%;vertical-align:-.08rem;
    margin:0 .1rem 0 .7rem;border:2px solid transparent}
    .key:first-child{margin-left:0}
    .key.you{background:var(--you);border-color:var(--paper);box-shadow:0 0 0 1px var(--you)}
    .key.ring{border-color:var(--ring)}.key.in{border-color:var(--in);background:var(--hit-wash)}
    .key.dot{background:var(--dot);width:.5rem;height:.5rem;border:0}
    .key.hit{background:var(--hit)}.key.held{border-color:var(--held);background:var(--held-wash)}
    .leaflet-container{font:inherit;background:var(--land)}
    .grid-tile{border:solid var(--grid);border-width:0 1px 1px 0}
    .ring{stroke:var(--ring);fill:var(--ring-fill);stroke-width:1.6;fill-opacity:.09}
    .ring.inside{stroke:var(--in);fill:var(--in);stroke-width:2.6;fill-opacity:.18}
    .place{stroke:none;fill:var(--dot);fill-opacity:.85}
    .path{stroke:var(--you);stroke-width:3.5;stroke-opacity:.75;fill:none;stroke-linejoin:round;
    stroke-linecap:round}
    .path.other{stroke:var(--soft);stroke-width:2;stroke-opacity:.5}
    .here{stroke:var(--paper);stroke-width:3;fill:var(--you);fill-opacity:1}
    .here.other{fill:var(--soft);stroke-width:2}
    .error-ring{stroke:var(--you);stroke-width:1;stroke-opacity:.4;fill:var(--you);fill-opacity:.1}
    .hit-mark{stroke:var(--paper);stroke-width:2;fill:var(--hit);fill-opacity:1}
    .held-mark{stroke:var(--held);stroke-width:2.5;fill:var(--held-wash);fill-opacity:1}
    .heading{stroke:var(--you);stroke-width:4;stroke-linecap:round;fill:none}
    .leaflet-tooltip{background:var(--paper);color:var(--ink);border:1px solid var(--line);
    white-space:normal;width:max-content;max-width:16rem;font-size:.86rem;padding:.2rem .5rem;
    overflow-wrap:anywhere}
    .leaflet-tooltip::before{display:none}
    .leaflet-bar a,.leaflet-bar a:hover{background:var(--paper);color:var(--ink);
    border-bottom-color:var(--line)}
    .leaflet-bar a.leaflet-disabled{background:var(--wash);color:var(--soft)}
    .leaflet-control-scale-line{background:var(--paper);color:var(--ink);border-color:var(--soft);
    opacity:.85}
    .leaflet-control-attribution.leaflet-control-attribution{background:var(--paper);
    color:var(--soft);opacity:.9}
    .leaflet-control-attribution a{color:var(--accent)}
    @media (prefers-color-scheme:dark){.street-tiles{filter:invert(1) hue-rotate(180deg)
    brightness(.85) contrast(.9)}}
    @media (max-width:52rem){html,body{height:auto}main{display:block}
    .stage{height:56vh;height:56dvh;min-height:18rem}.side{border-left:0;overflow:visible;
    border-top:1px solid var(--line);padding:.6rem}.events,#quiet,.scroll{max-height:none}
    #link{margin-left:auto}#source{order:3;flex-basis:100%}#toast{max-width:calc(100% - 5rem);left:auto;right:.7rem;
    transform:none}.tools button,.tools label{padding:.55rem .8rem}}
    @media (prefers-reduced-motion:reduce){.fresh{animation:none;outline:2px solid var(--hit)}}
    """#
}
