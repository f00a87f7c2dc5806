/// How the page looks, on a screen and on paper.
enum PageStyle {
  static let css = #"""
    :root{color-scheme:light dark;--ink:#1b2430;--soft:#4d5b6b;--line:#cfd6de;--wash:#f4f6f8;--paper:#fff;
    --accent:#0b5cad;--alert:#00694e;--late:#855100;--missed:#b82f08;--chosen:#fff4d6;--hover:#f4f8fc;
    --edge:#7b8896;--grid:#e3e8ed;--bar:#00795a}
    @media (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#a9b5c2;--line:#3a4653;--wash:#202a35;
    --paper:#151c24;--accent:#7db8f5;--alert:#4fd1a7;--late:#f3bd4b;--missed:#ff8a66;--chosen:#4a3d12;
    --hover:#1d2731;--edge:#7f8c9a;--grid:#2b3641;--bar:#35b58c}}
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
    .headline{font-size:clamp(1.6rem,4.2vw,2.4rem);font-weight:700;line-height:1.2;margin:.2rem 0 .5rem;
    letter-spacing:-.01em}
    .lede{font-size:1.08rem}
    .answers{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.4rem 2rem;margin:.8rem 0}
    .answers h3{margin:.5rem 0 .2rem}.answers p{margin:.2rem 0}
    .answers ol{margin:.2rem 0;padding-left:1.4rem}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.8rem;
    margin:1rem 0}
    .cards div{border:1px solid var(--line);border-top:5px solid var(--soft);border-radius:.4rem;
    padding:.6rem .8rem;background:var(--paper)}
    .cards dt{color:var(--soft);font-size:.9rem}
    .cards dd{margin:0;font-size:1.7rem;font-weight:650;line-height:1.25}
    .cards .note{font-size:.86rem;font-weight:400;color:var(--soft);display:block;line-height:1.35}
    .cards .alert{border-top-color:var(--alert)}
    .cards .late{border-top-color:#e0a100}
    .cards .missed{border-top-color:#d6390b}
    .cards .recall{border-top-color:var(--accent)}
    .bar{display:flex;height:1.5rem;border-radius:.3rem;overflow:hidden;margin:.4rem 0 .3rem;
    border:1px solid var(--line)}
    .bar span{display:block;min-width:0}
    .legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin:.2rem 0 .6rem;padding:0;
    list-style:none}
    .legend label{display:inline-flex;align-items:center;gap:.4rem;cursor:pointer}
    .found{background:#00a57c}.late.block,.bar .late{background:repeating-linear-gradient(45deg,#ffc233 0 5px,#e0a100 5px 8px)}
    .missed.block,.bar .missed{background:#d6390b}
    .block{display:inline-block;width:1rem;height:1rem;border-radius:.15rem;vertical-align:-.15rem}
    .key{width:1.15rem;height:1.15rem;flex:none}.key.wide{width:2.3rem}
    #map{height:min(70vh,40rem);border:1px solid var(--line);border-radius:.4rem;
    background:#f3f5f4;z-index:0}
    .mapbar{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:center;margin:.5rem 0}
    .controls{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:end;margin:.4rem 0 .6rem}
    .controls label{font-size:.92rem;color:var(--soft)}
    input[type=search],select{font:inherit;padding:.35rem .5rem;border:1px solid var(--edge);
    border-radius:.3rem;background:var(--paper);color:inherit;display:block;min-width:14rem}
    button{font:inherit;padding:.35rem .8rem;border:1px solid var(--edge);border-radius:.3rem;
    background:var(--wash);color:inherit;cursor:pointer}
    button:disabled{opacity:.45;cursor:default}
    .scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem}
    table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
    caption{text-align:left;color:var(--soft);padding:.3rem .6rem;font-size:.9rem}
    th,td{padding:.35rem .42rem;text-align:right;border-bottom:1px solid var(--line);
    vertical-align:top}
    th{background:var(--wash);position:sticky;top:0;font-weight:600}
    td{white-space:nowrap}td:first-child,td.left{white-space:normal}td:first-child{min-width:9rem}
    #stories td:last-child{min-width:15rem;font-size:.9em}
    th:first-child,td:first-child,.left{text-align:left}
    th button{border:0;background:none;padding:0;font-weight:600;text-align:inherit;white-space:nowrap}
    th button::after{content:"\2195";color:var(--edge);font-size:.8em;padding-left:.15rem}
    th[aria-sort=ascending] button::after{content:"\2191";color:var(--ink)}
    th[aria-sort=descending] button::after{content:"\2193";color:var(--ink)}
    tr.chosen td{background:var(--chosen)}
    tbody tr:hover td{background:var(--hover)}
    td .link{border:0;background:none;padding:0;color:var(--accent);text-align:left;
    text-decoration:underline}
    .pager{display:flex;gap:.8rem;align-items:center;margin:.6rem 0 1rem;flex-wrap:wrap}
    .good{color:var(--alert);font-weight:600}.bad{color:var(--missed);font-weight:600}
    .warn{color:var(--late);font-weight:600}.dim{color:var(--soft)}
    .plots{display:grid;grid-template-columns:minmax(20rem,1.25fr) minmax(16rem,1fr);gap:1.4rem;
    align-items:start;margin:.6rem 0 1rem}
    .plots svg{width:100%;height:auto;border:1px solid var(--line);border-radius:.4rem;
    background:var(--paper)}
    .plots .scroll{max-height:24rem;overflow:auto}
    .axis{stroke:var(--edge);stroke-width:1}.grid{stroke:var(--grid);stroke-width:1}.column{fill:var(--bar)}
    svg text{font:12px system-ui,"DejaVu Sans",sans-serif;fill:var(--ink)}
    dl.words{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.2rem;max-width:66rem}
    dl.words dt{font-weight:600}dl.words dd{margin:0}
    #detail{border:1px solid var(--line);border-left:5px solid var(--accent);border-radius:.3rem;
    padding:.6rem .9rem;margin:.6rem 0;background:var(--wash);min-height:3.2rem}
    #detail h3{margin:.1rem 0 .3rem}
    ul.plain{padding-left:1.2rem;margin:.3rem 0}
    footer{padding:1.2rem 0 2rem;color:var(--soft);font-size:.9rem}
    .leaflet-container{font:inherit}
    #map .leaflet-tooltip,#map .leaflet-control{color:#1b2430}
    .leaflet-tooltip{font-size:.86rem;white-space:normal;max-width:20rem;width:max-content}
    @media (max-width:52rem){nav .wrap{white-space:nowrap;overflow-x:auto;padding:0 .4rem}
    .cards{grid-template-columns:repeat(2,1fr)}.cards dd{font-size:1.4rem}#map{height:min(60vh,26rem)}
    input[type=search],select{min-width:0;width:100%}.controls label{flex:1 1 12rem}
    .plots{grid-template-columns:1fr}
    dl.words{grid-template-columns:1fr}dl.words dd{margin:0 0 .5rem}}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    @page{margin:1.6cm 1.4cm}
    @media print{:root{color-scheme:light;--ink:#000;--soft:#333;--line:#bbb;--wash:#f4f4f4;--paper:#fff;--accent:#000;
    --alert:#00694e;--late:#855100;--missed:#b82f08;--chosen:#fff;--hover:#fff;--edge:#666;--grid:#ddd;--bar:#00795a}
    nav,.skip,.controls,.pager button,.mapbar,.leaflet-control-zoom,#detail{display:none!important}
    body{font-size:10pt}.wrap{max-width:none;padding:0}header{background:none;color:#000;
    padding:0 0 .5rem;border-bottom:2px solid #000}header p{color:#333}
    section{break-inside:auto;padding:.8rem 0}.headline{font-size:20pt}
    .answers{grid-template-columns:repeat(3,1fr)}.cards{grid-template-columns:repeat(4,1fr)}
    .cards dd{font-size:14pt}.answers div,.cards div,svg,#map,tr,.legend{break-inside:avoid}
    .legend input{display:none}thead{display:table-row-group}table{font-size:8.5pt}th,td{padding:.15rem .35rem}
    #stories td{min-width:0}td .link{color:#000;text-decoration:none}
    .plots{grid-template-columns:1fr 1fr}.scroll,.plots .scroll{overflow:visible;
    max-height:none;border:0}th{position:static}th button{white-space:normal}th button::after{content:""!important}
    h2,h3{break-after:avoid}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
    """#
}
