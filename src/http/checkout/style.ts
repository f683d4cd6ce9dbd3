// The style of the payment page: light and dark, from a phone's width up, and on paper. Pairs of text and ground reach
// WCAG AA; a test computes them.

import { accentOf } from '../../domain/account/accent.ts'

/** Colours by theme. `ink…` stands on the ground of the same name. */
export const THEMES = {
  light: {
    ground: '#eef2f7',
    card: '#ffffff',
    line: '#cfd8e3',
    edge: '#6b7a8f',
    text: '#14202f',
    soft: '#4a5a6e',
    accent: '#0b57c2',
    button: '#0b57c2',
    'ink-button': '#ffffff',
    hover: '#f1f6fd',
    info: '#e8f1fe',
    'ink-info': '#123f80',
    warn: '#fff3d0',
    'ink-warn': '#5a4100',
    bad: '#fdecea',
    'ink-bad': '#8a1c15',
    good: '#e5f5ea',
    'ink-good': '#125a2b',
    test: '#14202f',
    'ink-test': '#ffd977',
  },
  dark: {
    ground: '#0c1118',
    card: '#151c27',
    line: '#2d394a',
    edge: '#8595aa',
    text: '#e6ecf5',
    soft: '#a8b5c7',
    accent: '#86b8ff',
    button: '#86b8ff',
    'ink-button': '#0a1626',
    hover: '#1c2635',
    info: '#152a47',
    'ink-info': '#b9d6ff',
    warn: '#362b0c',
    'ink-warn': '#f7dd97',
    bad: '#3b1715',
    'ink-bad': '#ffb9b1',
    good: '#12301d',
    'ink-good': '#9be0b2',
    test: '#ffd977',
    'ink-test': '#14202f',
  },
} as const

const variables = (theme: Readonly<Record<string, string>>) =>
  Object.entries(theme)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

/** What takes the place of the page's own accent for a colour of the account's. */
export function accentStyle(colour: string): string {
  const { button, links } = accentOf(colour)
  const own = (accent: string) => variables({ accent, button: button.background, 'ink-button': button.text })
  return `:root{${own(links.light)}}@media (prefers-color-scheme:dark){:root{${own(links.dark)}}}`
}

const BASE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
h1,h2,h3,p,dl,dd,ol,ul,fieldset{margin:0;padding:0}
h1,h2,h3{line-height:1.25;text-wrap:balance}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
small{font-size:.8125rem}
[hidden]{display:none!important}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
h2:focus{outline:none}
.away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:fixed;z-index:2;left:.5rem;top:.5rem;padding:.625rem .875rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
.skip:not(:focus){clip-path:inset(50%)}
.icon{flex:none;display:block}
.soft{color:var(--soft);font-size:.9375rem}
`

const FRAME = `
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;align-items:center;max-width:64rem;margin:0 auto;padding:.5rem 1rem 0}
header nav{display:flex;gap:.25rem;margin-left:auto}
header nav a{display:inline-flex;align-items:center;min-height:2.75rem;padding:.375rem .75rem;border-radius:.5rem;font-size:.875rem;color:var(--soft);text-decoration:none}
header nav a:hover{text-decoration:underline}
header nav a[aria-current]{color:var(--text);font-weight:600;background:var(--card)}
.test{padding:.25rem .75rem;border-radius:1rem;font-size:.8125rem;font-weight:600;background:var(--test);color:var(--ink-test)}
main{display:grid;gap:1.25rem;max-width:64rem;margin:0 auto;padding:.5rem 1rem 3rem}
.logo{display:inline-grid;place-items:center;margin-bottom:.75rem;padding:.5rem .625rem;border:1px solid var(--line);border-radius:.75rem;background:#fff}
.logo img{display:block;max-width:min(11rem,100%);max-height:3rem;width:auto;height:auto}
.sum{min-width:0;padding:.25rem .25rem 0;container-type:inline-size}
.sum h1{font-size:1.0625rem;font-weight:600;color:var(--soft);overflow-wrap:anywhere}
.amount{margin:.125rem 0 .25rem;font-size:2.25rem;font-weight:700;line-height:1.2;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.amount.long{font-size:clamp(1.125rem,8cqi,2.25rem)}
.what{overflow-wrap:anywhere}
.sum .facts{margin-top:.75rem}
.timer{display:inline-flex;gap:.5rem;margin-top:.75rem;padding:.25rem .75rem;border:1px solid var(--line);border-radius:1rem;font-size:.875rem;color:var(--soft);background:var(--card)}
.timer strong{color:var(--text);font-variant-numeric:tabular-nums}
.timer.soon{border-color:var(--ink-bad);color:var(--ink-bad);background:var(--bad)}
.timer.soon strong{color:inherit}
.card{min-width:0;padding:1.25rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
.card>*+*{margin-top:1rem}
.card h2{font-size:1.375rem;letter-spacing:-.01em}
.card h3{font-size:.9375rem}
.help{min-width:0;padding:.25rem;font-size:.875rem;color:var(--soft)}
.help p,.help li{overflow-wrap:anywhere}
.help ul{display:flex;flex-wrap:wrap;gap:0 1.25rem;list-style:none}
.help li a{display:inline-flex;align-items:center;min-height:2.75rem}
.payee{text-align:center;overflow-wrap:anywhere}
.plain{max-width:34rem;margin:3rem auto 0;width:100%}
.plain h1{font-size:1.375rem}
`

const WAYS = `
.ways{display:grid;gap:.625rem;list-style:none}
.ways li{min-width:0}
.way{display:grid;grid-template-columns:auto minmax(0,1fr) auto 1.125rem;gap:.25rem .875rem;align-items:center;width:100%;min-height:4rem;padding:.75rem .875rem;border:1px solid var(--edge);border-radius:.75rem;background:var(--card);color:var(--text);font:inherit;text-align:left;cursor:pointer;list-style:none}
.way::-webkit-details-marker{display:none}
.way:hover{background:var(--hover);border-color:var(--accent)}
.way .icon:first-child{color:var(--accent)}
.way .icon:last-child{grid-column:4;width:1.125rem;color:var(--soft)}
.way strong,.way small{display:block}
.way small{color:var(--soft);line-height:1.35}
.price{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
details[open]>.way{border-radius:.75rem .75rem 0 0}
details[open]>.way .icon:last-child{transform:rotate(90deg)}
.more{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;padding:1rem .875rem;border:1px solid var(--edge);border-top:0;border-radius:0 0 .75rem .75rem}
.more form{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
.resume{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:center;font-size:.9375rem}
.resume a,.other a,.other .link,#leaving .link{display:inline-flex;align-items:center;min-height:2.75rem}
.field label,.label{display:block;padding:0;font-size:.875rem;font-weight:600}
.field input{width:100%;margin:.25rem 0;padding:.625rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);color:var(--text);font:inherit}
.field small{display:block;color:var(--soft)}
@media (max-width:30rem){
header nav a[aria-current]{display:none}
.way{gap:0 .5rem}
.way .name,.way .price{display:contents}
.way .name small,.way .price small{grid-column:2/span 2;text-align:left}
.way .name small{grid-row:2}
.way .price small{grid-row:3}
.way .icon:last-child{grid-column:4;grid-row:1/span 3}
.way .icon:first-child{grid-row:1/span 3}}
@media (max-width:24rem){
.way .price strong{grid-column:2/-1;grid-row:3;text-align:left;font-size:.9375rem;white-space:normal;overflow-wrap:anywhere}
.way .price small{grid-row:4}
.way .name strong{grid-column:2/span 2}}
`

const ACT = `
.button{display:block;width:100%;min-height:3rem;padding:.75rem 1rem;border:1px solid var(--accent);border-radius:.75rem;background:var(--button);color:var(--ink-button);font:inherit;font-weight:650;text-align:center;text-wrap:balance;text-decoration:none;cursor:pointer}
.button:hover{box-shadow:0 0 0 2px var(--accent)}
.button.second{background:var(--card);color:var(--accent)}
.small,.link{font:inherit;cursor:pointer;border-radius:.5rem}
.small{flex:none;min-height:2.75rem;padding:.25rem .875rem;border:1px solid var(--edge);background:var(--card);color:var(--text);font-size:.875rem;font-weight:600}
.small:hover{background:var(--hover)}
.link{padding:.25rem;border:0;background:none;color:var(--accent);text-decoration:underline;text-underline-offset:.15em}
.other{font-size:.9375rem}
.card>*+.other{margin-top:.5rem}
.other .link,#leaving .link{padding:0}
#leaving{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:center}
[aria-busy=true]{opacity:.7;cursor:progress}
.code{display:grid;justify-items:center;gap:.5rem}
.code svg{width:min(17.5rem,100%);min-width:15rem;height:auto;border-radius:.75rem;border:1px solid var(--line)}
.under{text-align:center}
.steps{padding-left:1.375rem}
.steps li+li{margin-top:.25rem}
.line{display:flex;gap:.625rem;align-items:center;margin-top:.25rem;padding:.375rem .375rem .375rem .75rem;border:1px solid var(--line);border-radius:.625rem;background:var(--ground)}
.line code{flex:1;min-width:0;max-height:7.5rem;padding:.1875rem 0;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.line.long code{max-height:none;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.line.long code:focus{white-space:pre-wrap}
.facts{display:grid;grid-template-columns:fit-content(42%) minmax(0,1fr);gap:.375rem 1rem;font-size:.9375rem}
.facts dt{color:var(--soft)}
.facts dd{text-align:right;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.facts .whole{grid-column:1/-1;text-align:left}
.facts dd.whole{margin:-.25rem 0 .25rem}
.paid .facts{padding:.75rem 0;border:1px solid var(--line);border-width:1px 0}
.note{display:flex;gap:.75rem;padding:.75rem .875rem;border-radius:.75rem;font-size:.9375rem}
.note>div{min-width:0;overflow-wrap:anywhere}
.note.info{background:var(--info);color:var(--ink-info)}
.note.warn{background:var(--warn);color:var(--ink-warn)}
.note.bad{background:var(--bad);color:var(--ink-bad)}
.note.good{background:var(--good);color:var(--ink-good)}
.sign{display:grid;place-items:center;width:3.5rem;height:3.5rem;border-radius:50%}
.sign .icon{width:2.25rem;height:2.25rem}
.sign.done{background:var(--good);color:var(--ink-good)}
.sign.stop{background:var(--warn);color:var(--ink-warn)}
.nowrap{white-space:nowrap}
.progress label{display:block;font-weight:600}
progress{display:block;width:100%;height:.75rem;margin-top:.375rem;border:1px solid var(--edge);border-radius:.5rem;overflow:hidden;background:var(--ground);appearance:none}
progress::-webkit-progress-bar{background:var(--ground)}
progress::-webkit-progress-value{background:var(--accent)}
progress::-moz-progress-bar{background:var(--accent)}
.spinner{display:block;width:2.25rem;height:2.25rem;border:3px solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
`

const SCREENS = `
@media (min-width:54rem){
header{padding-top:1.5rem}
main{grid-template-columns:minmax(0,5fr) minmax(0,7fr);grid-template-rows:auto 1fr;gap:2rem 2.5rem;align-items:start;padding-top:2rem}
.sum{padding-top:1rem}
.card{grid-column:2;grid-row:1/span 2}
.amount{font-size:2.75rem}
.card{padding:1.75rem}
.plain{grid-column:1/-1}}
@media (max-width:30rem){.facts .wide{grid-column:1/-1;text-align:left}.facts dd.wide{margin:-.25rem 0 .25rem}}
@media (max-width:30rem){.here{background:var(--button)!important;color:var(--ink-button)!important}}
@media (min-width:54rem){.keep{display:none}}
@media (scripting:none){.line.long code{white-space:pre-wrap}.keep{display:none}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}.spinner{border-style:dashed}}
@media (prefers-contrast:more){.way,.button,.small,.card,.line{border-color:currentColor}}
@media print{
header nav,.skip,.button,.other,.timer,#leaving,.sign{display:none!important}
body,.card{background:#fff;color:#000;border:0}
.facts dt,.soft,.sum h1{color:#000}
main{display:block;padding:0}.card{padding:1rem 0}
.test{border:1px solid #000;background:#fff;color:#000}}
`

export const STYLE = `:root{color-scheme:light dark;${variables(THEMES.light)}}
@media (prefers-color-scheme:dark){:root{${variables(THEMES.dark)}}}
${BASE}${FRAME}${WAYS}${ACT}${SCREENS}`
