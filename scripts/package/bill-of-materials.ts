// A software bill of materials in the form of CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/).
import type { Release, Shipped } from './shipped.ts'

const HASHES: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}

export function billOfMaterials({ version, shipped }: Release) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `gateway-contracts@${version}`,
        name: 'gateway-contracts',
        version,
        purl: `pkg:npm/gateway-contracts@${version}`,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: shipped.map(componentOf),
  }
}

function componentOf({ name, version, licence, integrity, how }: Shipped) {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': `${purl}#${how}`,
    name,
    version,
    purl,
    licenses: licence.includes(' ')
      ? [{ expression: licence.replace(/^\((.*)\)$/, '$1') }]
      : [{ license: { id: licence } }],
    ...(integrity === null ? {} : { hashes: [hashOf(integrity)] }),
    properties: [{ name: 'gateway:how', value: how }],
  }
}

/** In base64 in the lock file, in hexadecimal here. */
function hashOf(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split(/-(.*)/s)
  return { alg: HASHES[algorithm] ?? algorithm, content: Buffer.from(digest, 'base64').toString('hex') }
}
