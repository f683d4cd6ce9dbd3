// The looks of GET /docs: light and dark, from a phone's width up. All pairs of text and ground reach WCAG AA.

export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--raised:#f6f8fa;--line:#d8dee6;--text:#1a2230;--soft:#526071;--link:#0b57c2;
--mark:#fff4d1;--need:#b3261e;--get:#0b57c2;--post:#1a6e33;--put:#8a4b00;--patch:#6b3fb0;--delete:#b3261e;
--code:#172033;--code-text:#e3e9f3;--code-soft:#a9b5c8;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{--ground:#10151d;--raised:#182030;--line:#2c3748;--text:#e3e9f3;--soft:#a3b0c3;
--link:#7fb4ff;--mark:#3d3413;--need:#ff9d94;--get:#7fb4ff;--post:#74d08f;--put:#f0b264;--patch:#c4a6ff;--delete:#ff9d94;
--code:#0a0e15}}
*{box-sizing:border-box}
html{scroll-padding-top:1.5rem;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code,pre{font-family:var(--mono);font-size:.875em}
p{margin:.5rem 0}
small{font-size:.8125rem;font-weight:400;color:var(--soft)}
.skip,.up{position:fixed;z-index:2;padding:.5rem .75rem;background:var(--ground);border:1px solid var(--line);border-radius:.5rem}
.skip{left:.5rem;top:-4rem}
.skip:focus{top:.5rem}
.up{right:1rem;bottom:1rem;display:none;text-decoration:none;font-size:.875rem}

header{position:fixed;inset:0 auto 0 0;width:17rem;overflow-y:auto;padding:1.25rem 0 2rem;background:var(--raised);border-right:1px solid var(--line)}
.name{display:block;padding:0 1.25rem .5rem;font-weight:650;color:var(--text);text-decoration:none}
#menu,header label{display:none}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:flex;gap:.5rem;justify-content:space-between;align-items:baseline;padding:.25rem 1.25rem;font-size:.875rem;line-height:1.35;color:var(--text);text-decoration:none}
nav a:hover{background:var(--line)}
nav .tag>a{padding-top:.875rem;font-size:.75rem;font-weight:650;letter-spacing:.04em;text-transform:uppercase;color:var(--soft)}
nav .method{flex:none;font-size:.625rem;padding:0;border:0}

main{margin-left:17rem;padding:2.5rem 2.5rem 6rem;max-width:90rem}
.lead{max-width:44rem;padding-bottom:1rem}
h1{margin:0;font-size:2rem;line-height:1.2;letter-spacing:-.01em}
.lead p{font-size:1.0625rem}
.lead .facts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;font-size:.875rem;color:var(--soft)}
h2{margin:0;font-size:1.5rem;line-height:1.25}
main>h2{margin-top:3.5rem;padding-bottom:1rem}
h3{margin:0;font-size:1.1875rem;line-height:1.3}
h3 a{color:inherit;text-decoration:none}
h3 a:hover{text-decoration:underline}
h4{margin:.75rem 0 .25rem;font-size:.9375rem}
h4 small,summary small{margin-left:.375rem}
section{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem 2.5rem;padding:2.25rem 0;border-top:1px solid var(--line)}
.text>p,.text>dl{max-width:44rem}
:not(pre)>code{overflow-wrap:anywhere}
dt{margin-top:.5rem}
dd{margin:0 0 0 1rem}
.path{display:flex;gap:.625rem;align-items:baseline;font-size:1rem}
.access{font-size:.875rem;color:var(--soft)}
.access strong{color:var(--text);font-weight:600}
.method{font:650 .75rem/1.4 var(--mono);padding:.1rem .4rem;border:1px solid;border-radius:.3rem}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}.delete{color:var(--delete)}

figure{margin:0;border-radius:.5rem;overflow:hidden;background:var(--code);color:var(--code-text);border:1px solid var(--line)}
figcaption{padding:.5rem 1rem 0;font-size:.75rem;color:var(--code-soft)}
pre{margin:0;padding:.625rem 1rem 1rem;overflow-x:auto;line-height:1.55;tab-size:2}
pre:focus-visible{outline-offset:-3px}

/* A narrow place shows each row as a paragraph: name and type on a line, the meaning below. */
.rows{container-type:inline-size}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th{padding:.375rem .75rem .375rem 0;text-align:left;font-size:.75rem;font-weight:600;color:var(--soft)}
td{padding:.5rem .75rem .5rem 0;vertical-align:top;border-top:1px solid var(--line);overflow-wrap:anywhere}
td p{margin:0}
td p+p{margin-top:.125rem}
.fields{table-layout:fixed}
.fields th:nth-child(1){width:36%}
.fields th:nth-child(2){width:21%}
.parents{color:var(--soft)}
.type,.limits{color:var(--soft)}
.limits{font-size:.8125rem}
.limits::first-letter{text-transform:uppercase}
.limits code{padding:0 .25rem;border-radius:.2rem;background:var(--raised);color:var(--text)}
.required{margin-left:.25rem;color:var(--need);font-size:.75rem;white-space:nowrap}
.d1>:first-child{padding-left:.875rem}.d2>:first-child{padding-left:1.75rem}.d3>:first-child{padding-left:2.625rem}
.d4>:first-child{padding-left:3.5rem}.d5>:first-child{padding-left:4.375rem}.d6>:first-child{padding-left:5.25rem}
details{margin-top:1rem;border:1px solid var(--line);border-radius:.5rem;padding:0 1rem}
summary{margin:0 -1rem;padding:.625rem 1rem;font-size:.9375rem;font-weight:600;cursor:pointer}
.errors td,.errors code{overflow-wrap:normal}
.errors .code{color:inherit;text-decoration:none}
.errors .code:hover{text-decoration:underline}
tr:target>*{background:var(--mark)}

@media (min-width:80rem){
section{grid-template-columns:minmax(0,1fr) minmax(0,27rem);grid-template-rows:auto 1fr}
.operation .aside{grid-column:2;grid-row:1/span 2}
.aside figure{position:sticky;top:1.5rem}
.aside pre{max-height:calc(100vh - 6rem);overflow-y:auto}}

@media (max-width:56rem){
header{position:static;width:auto;padding:.75rem 1rem;border-right:0;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem}
.name{padding:0}
#menu{display:block;position:absolute;opacity:0;pointer-events:none}
header label{display:block;padding:.375rem .75rem;border:1px solid var(--soft);border-radius:.5rem;font-size:.875rem;cursor:pointer}
#menu:focus-visible+label{outline:2px solid var(--link);outline-offset:2px}
#menu:checked+label{background:var(--line)}
nav{display:none;width:100%}
#menu:checked~nav{display:block}
nav a{padding:.5rem 0;font-size:.9375rem}
main{margin:0;padding:1.5rem 1rem 5rem}
h1{font-size:1.625rem}
.up{display:block}}

@container (max-width:34rem){
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block;width:auto}
tr{padding:.5rem 0;border-top:1px solid var(--line)}
tbody td{border:0;padding:.0625rem 0}
.fields td:nth-child(1),.fields td:nth-child(2),.errors .status,.errors .type{display:inline;padding:0 .5rem 0 0}
.d1,.d2,.d3,.d4,.d5,.d6{border-left:2px solid var(--line);padding-left:.75rem}
.d2{margin-left:.5rem}.d3{margin-left:1rem}.d4{margin-left:1.5rem}.d5{margin-left:2rem}.d6{margin-left:2.5rem}
.errors tr:target{background:var(--mark)}}

@media print{header,.up,.skip{display:none}main{margin:0;padding:0}}
`
