// Builds what members sign in with: passwords, and the OpenID provider where one is configured.
import type { LanePlaces } from '../app/jobs/lane-places.ts'
import type { MemberDeps } from '../app/members/member-deps.ts'
import type { WebhookDeps } from '../app/webhooks/webhook-deps.ts'
import { openPasswords } from '../platform/passwords.ts'
import type { Config } from './config/config.ts'
import { openOidcClient } from './oidc-client.ts'

/** Where an invited person goes. */
export const invitationUrl = ({ console }: Pick<Config, 'console'>, baseUrl: string, token: string): string =>
  `${baseUrl}${console === 'on' ? '/console' : ''}/invitations/${token}`

export type Members = { readonly deps: MemberDeps; readonly close: () => Promise<void> }

type Given = Pick<MemberDeps, 'reader'> & {
  readonly places: Pick<LanePlaces, 'byNode'>
  readonly webhooks: { readonly deps: Pick<WebhookDeps, 'sealing' | 'serialSession'> }
} & Pick<MemberDeps['changes'], 'newId' | 'announce'>

/** `address` is read whenever it is needed: a port that the system chooses is known late. */
export function buildMembers(
  config: Config,
  { reader, places, webhooks, newId, announce }: Given,
  address: { readonly baseUrl: string },
): Members {
  const { sealing, serialSession } = webhooks.deps
  const nowMs = () => Date.now()
  const baseUrl = () => address.baseUrl
  const place = { redirectUrl: () => `${address.baseUrl}/sessions/oidc/callback`, nowMs }
  const oidc = config.oidc && openOidcClient(config.oidc, config.webhookAllow, place)
  const isHttps = () => address.baseUrl.startsWith('https:')
  const changes = { serialSession, newId, announce }
  const deps = {
    reader,
    lanesByNode: places.byNode,
    changes,
    sealing,
    nowMs,
    passwords: openPasswords(config.passwordCost),
    baseUrl,
    invitationUrl: (token: string) => invitationUrl(config, address.baseUrl, token),
    isHttps,
    oidc,
  }
  return { deps, close: async () => oidc?.close() }
}
