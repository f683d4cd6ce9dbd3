// What people write to reach the inside of a network: spellings, clothes of IPv6, special-purpose ranges, names. Written
// down here from the registries and by arithmetic of its own, so that it shares no table with the guard that it tries.

/** One URL, and what its name resolves to (a URL with an address in it must not be looked up at all). */
export type Probe = { readonly url: string; readonly answers?: readonly string[] }

/** IANA's special-purpose registries, with multicast and the wire server of Azure. */
export const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
]

/** Groups of the base, bits. What the registry calls globally reachable within 2001::/23 is infrastructure, no receiver. */
export const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['0:0:0:0:0:0:0:0', 128],
  ['0:0:0:0:0:0:0:1', 128],
  ['0:0:0:0:0:0:0:0', 96],
  ['0:0:0:0:ffff:0:0:0', 96],
  ['64:ff9b:1:0:0:0:0:0', 48],
  ['100:0:0:0:0:0:0:0', 64],
  ['100:0:0:1:0:0:0:0', 64],
  ['2001:0:0:0:0:0:0:0', 32],
  ['2001:1:0:0:0:0:0:1', 128],
  ['2001:2:0:0:0:0:0:0', 48],
  ['2001:3:0:0:0:0:0:0', 32],
  ['2001:4:112:0:0:0:0:0', 48],
  ['2001:10:0:0:0:0:0:0', 28],
  ['2001:20:0:0:0:0:0:0', 28],
  ['2001:30:0:0:0:0:0:0', 28],
  ['2001:0:0:0:0:0:0:0', 23],
  ['2001:db8:0:0:0:0:0:0', 32],
  ['2002:0:0:0:0:0:0:0', 16],
  ['2620:4f:8000:0:0:0:0:0', 48],
  ['3fff:0:0:0:0:0:0:0', 20],
  ['3ffe:0:0:0:0:0:0:0', 16],
  ['5f00:0:0:0:0:0:0:0', 16],
  ['4000:0:0:0:0:0:0:0', 3],
  ['fc00:0:0:0:0:0:0:0', 7],
  ['fe80:0:0:0:0:0:0:0', 10],
  ['fec0:0:0:0:0:0:0:0', 10],
  ['ff00:0:0:0:0:0:0:0', 8],
]

const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'] as const
/** Where clouds keep their credentials. */
const METADATA_V4 = [
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
]
const METADATA_V6 = ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42', 'fe80::a9fe:a9fe']

export function numberOf(dotted: string): number {
  return dotted.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
}

export function dottedOf(number: number): string {
  return octetsOf(number).join('.')
}

/** First and last address of a range of IPv4, as numbers. */
export function endsV4([base, bits]: readonly [string, number]): [number, number] {
  return [numberOf(base), numberOf(base) + 2 ** (32 - bits) - 1]
}

/** First and last address of a range of IPv6, as numbers. */
export function endsV6([base, bits]: readonly [string, number]): [bigint, bigint] {
  const first = base.split(':').reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
  return [first, first + 2n ** BigInt(128 - bits) - 1n]
}

export function groupsOf(number: bigint): string {
  return Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':')
}

/** The ways to spell an IPv4 address in a URL; all of them mean that address. */
export function spellingsOf(number: number): string[] {
  const octets = octetsOf(number)
  const [a, b, c, d] = octets
  const dotted = octets.join('.')
  const hex = (part: number) => `0x${part.toString(16)}`
  const octal = (part: number) => `0${part.toString(8)}`
  const digits = (from: (digit: number) => number) =>
    dotted.replace(/\d/g, (digit) => String.fromCodePoint(from(Number(digit))))
  return [
    dotted,
    `${dotted}.`,
    String(number),
    hex(number),
    hex(number).toUpperCase(),
    `0x0000${number.toString(16)}`,
    octal(number),
    `000${octal(number)}`,
    `${a}.${number % 2 ** 24}`,
    `${a}.${b}.${number % 2 ** 16}`,
    octets.map(hex).join('.'),
    octets.map(octal).join('.'),
    octets.map((part) => `00000${octal(part)}`).join('.'),
    `${a}.${hex(b)}.${octal(c)}.${d}`,
    `${hex(a)}.${octal(number % 2 ** 24)}.`,
    digits((digit) => 0xff10 + digit),
    digits((digit) => 0xff10 + digit).replaceAll('.', '．'),
    digits((digit) => (digit === 0 ? 0x24ea : 0x245f + digit)),
    digits((digit) => 0x1d7d8 + digit),
    dotted.replaceAll('.', '。'),
    dotted.replace(/\d/g, (digit) => `%3${digit}`),
    dotted.replaceAll('.', '%2e'),
    dotted.replace('.', '\u00ad.'),
    dotted.replace('.', '.\t'),
  ]
}

/** The ways to carry an IPv4 address in one of IPv6. */
export function clothesOf(number: number): string[] {
  const dotted = dottedOf(number)
  const groups = `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`
  const flipped = ~number >>> 0
  return [
    `::ffff:${dotted}`,
    `::FFFF:${groups}`,
    `0:0:0:0:0:ffff:${dotted}`,
    `0000:0000:0000:0000:0000:ffff:${groups}`,
    `::${dotted}`,
    `::${groups}`,
    `::ffff:0:${dotted}`,
    `64:ff9b::${dotted}`,
    `64:ff9b:0:0:0:0:${groups}`,
    `64:ff9b:1::${dotted}`,
    `64:ff9b:1:fffe::${groups}`,
    `2002:${groups}::`,
    `2002:${groups}::${groups}`,
    `2001::${(flipped >>> 16).toString(16)}:${(flipped & 0xffff).toString(16)}`,
    `2001:0:4136:e378:8000:63bf:${(flipped >>> 16).toString(16)}:${(flipped & 0xffff).toString(16)}`,
    `fe80::5efe:${dotted}`,
  ]
}

/** URLs that lead inwards, at the canaries on this port where an address is that of this machine. */
export function inwardProbes(port: number): Probe[] {
  const here = [...spellingsOf(numberOf('127.0.0.1')), ...clothesOf(numberOf('127.0.0.1')).map((text) => `[${text}]`)]
  const loopback = ['[::1]', '[0:0:0:0:0:0:0:1]', '[::0001]', '[::]', '0.0.0.0', '0', '127.0.0.2', '127.255.255.254']
  const metadata = numberOf('169.254.169.254')
  const credentials = [
    ...spellingsOf(metadata),
    ...METADATA_V4,
    ...[...clothesOf(metadata), ...METADATA_V6].map((text) => `[${text}]`),
  ]
  const ends = [
    ...SPECIAL_V4.flatMap(endsV4).map(dottedOf),
    ...SPECIAL_V6.flatMap(endsV6).map((number) => `[${groupsOf(number)}]`),
  ]
  return [
    ...[...here, ...loopback].flatMap((host) => [
      `http://${host}:${port}/`,
      `https://${host}:8443/`,
      `https://${host}/`,
    ]),
    ...credentials.flatMap((host) => [`http://${host}/latest/meta-data/`, `https://${host}/`]),
    ...ends.map((host) => `https://${host}/`),
    `https://93.184.215.14@127.0.0.1:8443/`,
    `https://example.com:443@127.0.0.1:8443/`,
    `https:\\\\127.0.0.1:8443\\`,
    `https:127.0.0.1`,
    `  https://127.0.0.1:8443/#@example.com/  `,
    `HTTPS://127.0.0.1:8443/?https://example.com/`,
  ]
    .map((url): Probe => ({ url }))
    .concat(namedProbes(port))
}

function namedProbes(port: number): Probe[] {
  const inwards = ['127.0.0.1', '::1', '0.0.0.0', '::', '10.9.9.9', '169.254.169.254', 'fd00:ec2::254', '100.64.0.1']
  const odd = ['', 'localhost', '0x7f.1', '127.1', '2130706433', 'fe80::1%1', '2606:4700::1111%1', '[::1]', '1.1.1.1/8']
  const sets: (readonly string[])[] = [
    ...[...inwards, ...clothesOf(numberOf('127.0.0.1')), ...odd].map((answer) => [answer]),
    // One answer that leads inwards among others that do not, wherever it stands, of either family.
    ...inwards.flatMap((answer) => [
      [...PUBLIC, answer],
      [answer, ...PUBLIC],
      [PUBLIC[0], answer, PUBLIC[1]],
    ]),
    [...Array.from({ length: 30 }, () => PUBLIC[0]), '127.0.0.1'],
    ['10.9.8.7', '127.0.0.1'],
  ]
  const names = [
    'rebind.example',
    'metadata.google.internal',
    'a.b.cname.example',
    'localhost',
    'localhost.',
    'x.local',
  ]
  return [
    ...sets.map((answers, at) => ({ url: `https://${names[at % names.length]}:8443/`, answers })),
    ...inwards.map((answer) => ({ url: `http://127.0.0.1.nip.example:${port}/`, answers: [answer] })),
    // A public address on a way that is not for the public, and an allowed one beside it does not help.
    ...['http://example.com', 'http://example.com:443', 'http://example.com:8443', `http://example.com:${port}`]
      .concat([0, 22, 25, 80, 444, 5432, 6379, 9200, 65_535].map((other) => `https://example.com:${other}`))
      .flatMap((url) => [
        { url, answers: PUBLIC },
        { url, answers: ['10.9.8.7', PUBLIC[0]] },
      ]),
  ]
}

/** URLs that are wrong whatever they lead to. */
export function misspelledProbes(port: number): Probe[] {
  const schemes = ['ftp', 'file', 'gopher', 'ws', 'wss', 'unix', 'data', 'javascript', 'dict', 'ldap', 'jar', 'httpss']
  const whole = ['', ' ', '//', 'example.com', '/webhooks', 'https:', 'https://', 'http:///', 'https://?', '127.0.0.1']
  const users = ['user', 'user:secret', ':secret', '%20', 'a%40b']
  const hosts = ['256.0.0.1', '127.0.0.1.1', '4294967296', '0x100000000', '1.2.3.08', '127.0.0.1:99999', '[::1', '::1']
  const odd = ['[fe80::1%25lo]', '[::1%lo]', '[::ffff:127.0.0.256]', 'exa mple.com', 'exa<mple.com', '%00', '127.1%00']
  return [
    ...schemes.flatMap((scheme) => [`${scheme}://127.0.0.1:${port}/`, `${scheme}://example.com:443/`]),
    ...whole,
    ...users.map((user) => `https://${user}@example.com/`),
    ...[...hosts, ...odd].map((host) => `https://${host}/`),
  ].map((url) => ({ url, answers: PUBLIC }))
}

function octetsOf(number: number): [number, number, number, number] {
  return [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]
}
