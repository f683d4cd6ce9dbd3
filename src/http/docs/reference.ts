// GET /docs/reference: Scalar's page of the OpenAPI document. Its script is the one file that the build takes from the
// package, so that nothing comes from elsewhere; what of it would call other hosts is switched off, and the policy of the
// page lets it reach this origin alone.
import { readFileSync } from 'node:fs'
import { html } from './html.ts'

const SETTINGS = {
  url: '../openapi.json',
  // Fonts, usage figures, the maker's own client, its proxy, its assistant: all of them are on other hosts.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // With a live key a trial moves money.
  hideTestRequestButton: true,
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

/** Scalar puts its styles into the page, and draws some of its pictures as data. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const referencePage = (title: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript><p>This page is drawn by a script. The <a href="../docs">guide</a> is not.</p></noscript>
<div id="reference"></div>
<script src="reference/scalar.js"></script>
<script src="reference/start.js"></script>
</body>
</html>
`.markup

export const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)})\n`

/** The build is beside the sources' folder, whether this runs from the build or from the sources. */
const BUILT = import.meta.url.includes('/dist/src/') ? '../../../reference/' : '../../../dist/reference/'

/** Scalar's script as the build packed it with gzip; throws where there was no build. */
export const packedScalar = (): Buffer => readFileSync(new URL(`${BUILT}scalar.js.gz`, import.meta.url))
