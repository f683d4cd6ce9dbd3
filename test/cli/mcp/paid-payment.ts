// A payment contract that was paid from a wallet of another account of the world.
import type { World } from '../../world.ts'

type Opened = { readonly id: string; readonly checkout_url: string }

/** Over 100 PHP; its id. */
export async function paidPayment({ caller, other, ask }: World): Promise<string> {
  const opened = await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } })
  const { id, checkout_url: url } = opened.data['contract'] as Opened
  const paid = await ask('PUT', `/contracts/payment/${id}/pay`, {
    headers: { authorization: `Bearer ${url.slice(url.lastIndexOf('/') + 1)}`, 'x-api-key': other.apiKey },
    body: { type: 'wallet', wallet: { wallet_id: (await other.wallet('PHP')).id } },
  })
  if (paid.status !== 200) throw new Error(paid.text)
  return id
}
