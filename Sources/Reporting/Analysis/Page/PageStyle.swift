/// How the page looks, on a screen and on paper.
enum PageStyle {
  static let css = #"""
    :root{--ink:#1b2430;--soft:#4d5b6b;--line:#cfd6de;--wash:#f4f6f8;--paper:#fff;--accent:#0b5cad;
    --alert:#00795a;--suppressed:#5f6b78;--late:#9a5b00;--missed:#c2350b}
    *{box-sizing:border-box}
    html{scroll-behavior:smooth}
    body{margin:0;color:var(--ink);background:var(--paper);
    font:16px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
    .wrap{max-width:78rem;margin:0 auto;padding:0 1.25rem}
    header{background:#10243a;color:#fff;padding:1.6rem 0 1.4rem}
    header h1{margin:0;font-size:1.65rem;line-height:1.25}
    header p{margin:.35rem 0 0;color:#d3dfec}
    nav{background:#0b1a2b}
    nav a{display:inline-block;padding:.55rem .9rem;color:#e4edf7;text-decoration:none}
    nav a:hover{background:#1d3855}
    a{color:var(--accent)}
    :focus-visible{outline:3px solid #f2a900;outline-offset:2px}
    .skip{position:absolute;left:-999rem}
    .skip:focus{left:1rem;top:1rem;background:#fff;color:#000;padding:.5rem 1rem;z-index:2000}
    section{padding:1.6rem 0 .6rem;border-bottom:1px solid var(--line)}
    h2{font-size:1.3rem;margin:0 0 .5rem}
    h3{font-size:1.05rem;margin:1.2rem 0 .4rem}
    p{max-width:62rem;margin:.3rem 0 .7rem}
    .lede{font-size:1.12rem}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(11.5rem,1fr));gap:.8rem;
    margin:1rem 0}
    .cards div{border:1px solid var(--line);border-top:5px solid var(--soft);border-radius:.4rem;
    padding:.6rem .8rem;background:var(--paper)}
    .cards dt{color:var(--soft);font-size:.9rem}
    .cards dd{margin:0;font-size:1.7rem;font-weight:650;line-height:1.25}
    .cards .note{font-size:.86rem;font-weight:400;color:var(--soft);display:block;line-height:1.35}
    .cards .alert{border-top-color:var(--alert)}
    .cards .late{border-top-color:#e69f00}
    .cards .missed{border-top-color:var(--missed)}
    .cards .recall{border-top-color:var(--accent)}
    .bar{display:flex;height:1.5rem;border-radius:.3rem;overflow:hidden;margin:.4rem 0 .3rem;
    border:1px solid var(--line)}
    .bar span{display:block;min-width:0}
    .legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin:.2rem 0 .6rem;padding:0;
    list-style:none}
    .legend label{display:inline-flex;align-items:center;gap:.4rem;cursor:pointer}
    .swatch{display:inline-block;width:.95rem;height:.95rem;border-radius:50%;
    border:3px solid transparent;vertical-align:-.12rem}
    .swatch.alert{background:#00a878;border-color:#00795a}
    .swatch.suppressed{background:#aab4bf;border-color:#5f6b78}
    .swatch.late{background:#fff;border-color:#e69f00}
    .swatch.missed{background:#fff;border-color:#d6390b}
    .swatch.crowd{background:#7b2d8b;border-color:#4d1458;border-radius:0}
    .swatch.circle{background:#e3eefb;border:2px solid #2f74c0}
    .swatch.track{height:.25rem;border:0;border-radius:0;background:#41576e;width:1.4rem;
    vertical-align:.2rem}
    #map{height:min(70vh,40rem);border:1px solid var(--line);border-radius:.4rem;
    background:#eef1f0;z-index:0}
    .mapbar{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:center;margin:.5rem 0}
    .controls{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:end;margin:.4rem 0 .6rem}
    .controls label{font-size:.92rem;color:var(--soft)}
    input[type=search],select{font:inherit;padding:.35rem .5rem;border:1px solid #7b8896;
    border-radius:.3rem;background:#fff;color:inherit;display:block;min-width:14rem}
    button{font:inherit;padding:.35rem .8rem;border:1px solid #7b8896;border-radius:.3rem;
    background:var(--wash);color:inherit;cursor:pointer}
    button:disabled{opacity:.45;cursor:default}
    .scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem}
    table{border-collapse:collapse;width:100%;font-size:.94rem;font-variant-numeric:tabular-nums}
    caption{text-align:left;color:var(--soft);padding:.3rem .6rem;font-size:.9rem}
    th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid var(--line);
    vertical-align:top}
    th{background:var(--wash);position:sticky;top:0;font-weight:600}
    th:first-child,td:first-child,.left{text-align:left}
    th button{border:0;background:none;padding:0;font-weight:600;text-align:inherit}
    th button::after{content:" ↕";color:#8a96a3}
    th[aria-sort=ascending] button::after{content:" ↑";color:var(--ink)}
    th[aria-sort=descending] button::after{content:" ↓";color:var(--ink)}
    tr.chosen td{background:#fff4d6}
    tbody tr:hover td{background:#f7fafd}
    td .link{border:0;background:none;padding:0;color:var(--accent);text-align:left;
    text-decoration:underline}
    .pager{display:flex;gap:.8rem;align-items:center;margin:.6rem 0 1rem;flex-wrap:wrap}
    .good{color:var(--alert);font-weight:600}.bad{color:var(--missed);font-weight:600}
    .warn{color:var(--late);font-weight:600}.dim{color:var(--soft)}
    .plots{display:grid;grid-template-columns:minmax(20rem,1.25fr) minmax(16rem,1fr);gap:1.4rem;
    align-items:start;margin:.6rem 0 1rem}
    .plots svg{width:100%;height:auto;border:1px solid var(--line);border-radius:.4rem;
    background:#fff}
    .plots .scroll{max-height:24rem;overflow:auto}
    .axis{stroke:#5b6875;stroke-width:1}.grid{stroke:#e3e8ed;stroke-width:1}
    svg text{font:12px system-ui,"DejaVu Sans",sans-serif;fill:#36424f}
    dl.words{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.2rem;max-width:66rem}
    dl.words dt{font-weight:600}dl.words dd{margin:0}
    #detail{border:1px solid var(--line);border-left:5px solid var(--accent);border-radius:.3rem;
    padding:.6rem .9rem;margin:.6rem 0;background:var(--wash);min-height:3.2rem}
    #detail h3{margin:.1rem 0 .3rem}
    ul.plain{padding-left:1.2rem;margin:.3rem 0}
    footer{padding:1.2rem 0 2rem;color:var(--soft);font-size:.9rem}
    .leaflet-container{font:inherit}
    .leaflet-tooltip{font-size:.86rem;white-space:normal;max-width:20rem;width:max-content}
    @media (max-width:52rem){.plots{grid-template-columns:1fr}
    dl.words{grid-template-columns:1fr}dl.words dd{margin:0 0 .5rem}}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    @media print{nav,.skip,.controls,.pager button,.mapbar,.leaflet-control{display:none!important}
    body{font-size:10.5pt}.wrap{max-width:none;padding:0}header{background:none;color:#000;
    padding:0 0 .5rem;border-bottom:2px solid #000}header p{color:#333}
    section{break-inside:auto;padding:.8rem 0}.cards div,svg,#map,tr{break-inside:avoid}
    #map{height:12cm}.plots{grid-template-columns:1fr 1fr}.scroll,.plots .scroll{overflow:visible;
    max-height:none;border:0}th{position:static}th button::after{content:""!important}
    h2,h3{break-after:avoid}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
    """#
}
