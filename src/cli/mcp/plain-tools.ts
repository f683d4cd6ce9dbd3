// The tools that move nothing: drafts, prices, contracts, search, wallets.
import Type from 'typebox'
import { type Gateway, GatewayError, type TransferDraft } from '../../../sdk/src/index.ts'
import { closed } from '../../wire/shapes.ts'
import { moneyText } from '../view.ts'
import { shown } from './deed.ts'
import { bodyOf, Changes, Draft, id } from './inputs.ts'
import { payDeed } from './money-tools.ts'
import { type Said, tool } from './tool.ts'
import { type Contract, contractWords, messageLines } from './words.ts'

const ContractId = id('A transfer or payment contract.')

const shownDraft = (contract: Contract): Said => ({
  text: [contractWords(contract), ...messageLines(contract.preview)].join('\n'),
  data: { contract },
})

const draft = tool(
  'draft_transfer',
  {
    title: 'Draft a transfer',
    description:
      'Makes a draft of a transfer, with its price and what it still lacks. Nothing is bound and no money moves: then issue_transfer, then pay_transfer.',
    kind: 'writes',
  },
  closed(Draft),
  async ({ gateway }, given) => shownDraft(await gateway.transfers.create(bodyOf(given) as TransferDraft)),
)

const update = tool(
  'update_draft',
  { title: 'Change a draft', description: 'Changes a draft; only what is given changes.', kind: 'writes' },
  closed({ id: id('The draft.'), ...Changes }),
  async ({ gateway }, { id: contractId, ...given }) =>
    shownDraft(await gateway.transfers.update({ id: contractId }, bodyOf(given))),
)

const compare = tool(
  'compare_channels',
  {
    title: 'Compare channels',
    description:
      'Prices a transfer on every channel without making one: fee, arrival, limits, and what each still needs to know of the recipient.',
    kind: 'reads',
  },
  closed(Draft),
  async ({ gateway }, given) => {
    const { channels } = await gateway.channels.compare(bodyOf(given) as TransferDraft)
    const lines = channels.map(({ channel, preview, valid, arrives_at: at, missing }) => {
      const price = moneyText(preview.amount, given.currency.toUpperCase())
      const lacks = valid ? 'can be issued' : `lacks: ${missing.map(({ message }) => message).join(' ')}`
      return `- ${channel.id}: the payer pays ${price}${at === null ? '' : `, arrives by ${at}`}; ${lacks}`
    })
    return { text: lines.join('\n') || 'There is no channel for it.', data: { channels } }
  },
)

const preview = tool(
  'preview_transfer',
  {
    title: 'Preview a transfer',
    description: 'Shows what paying a transfer would do now: who, how much, fee, arrival, from which wallet.',
    kind: 'reads',
  },
  closed({ id: id('The transfer contract.'), wallet: Type.Optional(id('The wallet that would pay.')) }),
  async (session, { id: contractId, wallet }) => {
    const contract = await session.gateway.transfers.get(contractId)
    return { ...shownDraft(contract), data: { preview: await shown(await payDeed(session, contract, wallet)) } }
  },
)

const get = tool(
  'get_contract',
  { title: 'Get a contract', description: 'Shows a contract as it stands, with its history.', kind: 'reads' },
  closed({ id: ContractId }),
  async ({ gateway }, { id: contractId }) => {
    const contract = await ofEitherKind(
      () => gateway.transfers.get(contractId),
      () => gateway.payments.get(contractId),
    )
    return { text: contractWords(contract), data: { contract } }
  },
)

const explain = tool(
  'explain_contract',
  {
    title: 'Explain a contract',
    description: 'Tells where the money of a contract is, who must act and by when, and what a cancel would do now.',
    kind: 'reads',
  },
  closed({ id: ContractId }),
  async ({ gateway }, { id: contractId }) => {
    const explanation = await ofEitherKind(
      () => gateway.transfers.explain(contractId),
      () => gateway.payments.explain(contractId),
    )
    return { text: explanation.summary, data: { explanation } }
  },
)

/** An id does not say which kind it is of. */
async function ofEitherKind<T, P>(transfer: () => Promise<T>, payment: () => Promise<P>): Promise<T | P> {
  try {
    return await transfer()
  } catch (fault) {
    if (!(fault instanceof GatewayError) || fault.status !== 404) throw fault
    return payment()
  }
}

const SEARCH_MAX = 25

const search = tool(
  'search',
  {
    title: 'Search',
    description: 'Finds contracts and profiles by id, reference, name, mobile, e-mail, account number or amount.',
    kind: 'reads',
  },
  closed({
    query: Type.String({ minLength: 1, maxLength: 200, description: 'A name, a reference, an amount such as 1500.' }),
    type: Type.Optional(Type.Enum(['transfer', 'payment', 'profile', 'event'])),
  }),
  async ({ gateway }, { query, type }) => {
    const results = await gateway.search.find({ q: query, type, limit: SEARCH_MAX }).all(SEARCH_MAX)
    const lines = results.map((hit) => `- ${hit.type} ${hit.id}: ${JSON.stringify(hit.summary)}`)
    return { text: lines.join('\n') || 'Nothing was found.', data: { results } }
  },
)

const wallets = tool(
  'list_wallets',
  { title: 'List wallets', description: 'Shows the wallets of the account and what each has.', kind: 'reads' },
  closed({}),
  async ({ gateway }: { readonly gateway: Gateway }) => {
    const found = await gateway.wallets.list().all(WALLETS_MAX)
    const lines = found.map(({ id: walletId, currency, available, label, default: isDefault }) => {
      const name = label === null ? '' : ` ${JSON.stringify(label)}`
      return `- ${walletId}${name}: ${moneyText(available, currency)} available${isDefault ? ', the default' : ''}`
    })
    return { text: lines.join('\n') || 'The account has no wallet.', data: { wallets: found } }
  },
)

const WALLETS_MAX = 100

export const PLAIN_TOOLS = [draft, update, compare, preview, get, explain, search, wallets]
