// The style of GET /docs: light and dark, from a phone's width up. All pairs of text and ground reach WCAG AA.

export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--line:#d8dee6;--text:#1a2230;--soft:#526071;--link:#0b57c2;--mark:#fff4d1;
--code:#172033;--code-text:#e3e9f3;--code-soft:#a9b5c8;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{--ground:#10151d;--line:#2c3748;--text:#e3e9f3;--soft:#a3b0c3;--link:#7fb4ff;
--mark:#3d3413;--code:#0a0e15}}
*{box-sizing:border-box}
html{scroll-padding-top:1.5rem;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{margin:0 auto;padding:2.5rem 1.5rem 6rem;max-width:78rem}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code,pre{font-family:var(--mono);font-size:.875em}
p{margin:.5rem 0}
dt{margin-top:.5rem}
dd{margin:0 0 0 1rem}
:not(pre)>code{overflow-wrap:anywhere}
h1{margin:0;font-size:2rem;line-height:1.2}
h2{margin:0;font-size:1.5rem;line-height:1.25}
main>h2{margin-top:3.5rem;padding-bottom:1rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;margin:1rem 0 2rem;padding:0}
.lead,.text>p,.text>dl{max-width:44rem}
section{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem 2.5rem;padding:2.25rem 0;border-top:1px solid var(--line)}
figure{margin:0;border-radius:.5rem;overflow:hidden;background:var(--code);color:var(--code-text);border:1px solid var(--line)}
figcaption{padding:.5rem 1rem 0;font-size:.75rem;color:var(--code-soft)}
pre{margin:0;padding:.625rem 1rem 1rem;overflow-x:auto;tab-size:2}
pre:focus-visible{outline-offset:-3px}
.rows{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th{padding:.375rem .75rem .375rem 0;text-align:left;font-size:.75rem;font-weight:600;color:var(--soft)}
td{padding:.5rem .75rem .5rem 0;vertical-align:top;border-top:1px solid var(--line)}
.type{color:var(--soft)}
td code{overflow-wrap:normal}
tr:target>*{background:var(--mark)}
@media (min-width:64rem){section{grid-template-columns:minmax(0,1fr) minmax(0,27rem)}}
@media (max-width:40rem){
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block}
tr{padding:.5rem 0;border-top:1px solid var(--line)}
td{border:0;padding:.0625rem 0}
.status,.type{display:inline;padding-right:.5rem}}
@media print{nav{display:none}main{padding:0}}
`
