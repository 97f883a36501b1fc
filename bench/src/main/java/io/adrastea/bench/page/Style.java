package io.adrastea.bench.page;

/** The style sheet: light by itself, dark where the reader's system asks for it. */
final class Style {
  private static final String SHEET =
      """
          :root{color-scheme:light dark;--paper:#ffffff;--ink:#1c2024;--faint:#5b636c;--rule:#dfe3e8}
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
          .legend{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:4px 0 0;padding:0 0 0 12%}
          .legend svg{width:34px;height:12px;margin-right:6px}
          .tables{overflow-x:auto}
          table{border-collapse:collapse;margin:28px 0 0;font-variant-numeric:tabular-nums}
          th,td{padding:3px 12px 3px 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}
          th:first-child,td:first-child{text-align:left}
          th{color:var(--faint);font-weight:600}
          """;

  private Style() {}

  static String sheet() {
    return SHEET
        + Palette.rules(false)
        + "@media (prefers-color-scheme:dark){\n"
        + ":root{--paper:#14171a;--ink:#eceff2;--faint:#a3acb5;--rule:#31373d}\n"
        + Palette.rules(true)
        + "}\n";
  }
}
