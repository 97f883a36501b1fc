package io.adrastea.bench.page;

/** The style sheet: light by itself, dark where the reader's system asks for it. */
final class Style {
  private static final String SHEET =
      """
          :root{color-scheme:light dark;--paper:#ffffff;--ink:#1c2024;--faint:#5b636c;--rule:#dfe3e8;
            --tint:#fdeeee}
          body{margin:0 auto;max-width:1360px;padding:24px;background:var(--paper);color:var(--ink);
            font:15px/1.45 system-ui,sans-serif}
          h1{font-size:22px;margin:0 0 12px}
          .notes{white-space:pre-wrap;margin:0 0 20px;color:var(--faint);font:13px/1.5 ui-monospace,monospace}
          .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(560px,100%),1fr));gap:24px}
          figure{margin:0}
          figcaption,caption{font-weight:600;text-align:left;padding:0 0 6px}
          figure>svg{display:block;width:100%;height:auto}
          .grid{stroke:var(--rule);stroke-width:1;fill:none}
          text{fill:var(--ink);font:12px system-ui,sans-serif}
          text.tick{fill:var(--faint);font-variant-numeric:tabular-nums}
          text.axis{font-size:13px}
          .line{stroke:var(--c);stroke-width:2;fill:none;stroke-linejoin:round}
          .ref .line{stroke-dasharray:6 4}
          .marker{fill:var(--c);stroke:var(--paper);stroke-width:1}
          .marker.starred{fill:var(--paper);stroke:var(--c);stroke-width:1.5}
          p.axis{margin:0 0 8px;color:var(--faint);font-size:13px}
          .bar{display:grid;grid-template-columns:minmax(90px,26%) 1fr 76px;gap:10px;align-items:center;margin:3px 0}
          .bar .name{color:var(--c);font-weight:600;text-align:right;overflow-wrap:anywhere}
          .bar.base .name{font-weight:800}
          .bar .value{font-variant-numeric:tabular-nums}
          .track{position:relative;height:16px;border-left:1px solid var(--rule)}
          .track span{position:absolute;top:0;height:100%}
          .fill{background:var(--c)}
          .ref .fill,.starred .fill{background:none;box-shadow:inset 0 0 0 2px var(--c)}
          .bar .one{width:2px;margin-left:-1px;top:-3px;height:22px;background:var(--faint)}
          .bar .range{top:7px;height:2px;background:var(--ink)}
          .legend{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:4px 0 0;padding:0 0 0 12%}
          .legend svg{width:34px;height:12px;margin-right:6px}
          .tables{overflow-x:auto}
          table{border-collapse:collapse;margin:28px 0 0;font-variant-numeric:tabular-nums}
          th,td{padding:3px 12px 3px 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}
          th:first-child,td:first-child{text-align:left}
          th{color:var(--faint);font-weight:600}
          body>.charts{margin-bottom:24px}
          details{margin:0 0 20px}
          summary{cursor:pointer;font-weight:600;padding:6px 0 10px}
          .switches{display:flex;flex-wrap:wrap;gap:4px 16px;border:0;margin:0 0 16px;padding:0}
          .switches legend{float:left;padding:0 12px 0 0;color:var(--faint)}
          .switches label{display:flex;align-items:center;gap:5px;cursor:pointer;color:var(--c);font-weight:600}
          .switches input{accent-color:var(--c);margin:0}
          .faster{fill:var(--tint)}
          .grid.one{stroke:var(--faint)}
          text.hint{fill:var(--faint);font-size:11px;paint-order:stroke;stroke:var(--tint);stroke-width:3px}
          text.name{fill:var(--c);font-weight:600;font-variant-numeric:tabular-nums}
          .narrow text.name{font-size:11px}
          .lead{stroke:var(--c);stroke-width:1;fill:none;opacity:.45}
          .band{fill:var(--c);opacity:.13}
          .ours .line{stroke-width:3}
          .base .line{stroke-width:5}
          .base text.name{font-weight:800}
          figure>svg.narrow{display:none}
          @media (max-width:600px){
          body{padding:14px}
          h1{font-size:18px}
          figure>svg.wide{display:none}
          figure>svg.narrow{display:block}
          details figure{overflow-x:auto}
          details figure>svg{min-width:600px}
          }
          """;

  private Style() {}

  static String sheet() {
    return SHEET
        + Palette.rules(false)
        + "@media (prefers-color-scheme:dark){\n"
        + ":root{--paper:#14171a;--ink:#eceff2;--faint:#a3acb5;--rule:#31373d;--tint:#2a1c1f}\n"
        + Palette.rules(true)
        + "}\n";
  }
}
