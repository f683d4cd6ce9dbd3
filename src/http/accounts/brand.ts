// The routes of how an account shows itself to its payers: look, change.
import { brandOf, changeBrand } from '../../app/accounts/brands.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import {
  AccountBrandPatchReply,
  AccountBrandReply,
  BrandPatchBody,
  presentAccountBrand,
} from '../../wire/accounts/brand.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, KEY_ONLY, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'

const ACCOUNTS = 'Accounts'
const PATH = '/accounts/me/brand'
const READ: Access = { accepts: 'api key', scope: 'accounts:read' }
const WRITE: Access = { accepts: 'api key', scope: 'accounts:write' }

export function brandRoutes(context: Context): void {
  const { app, deps } = context
  const get = described('Get what payers see of the account', ACCOUNTS, { reply: AccountBrandReply }, KEY_ONLY)
  app.get(PATH, { schema: get, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const account = presentAccountBrand(caller.accountId, await brandOf(deps.reader, caller))
    return succeed(reply, 200, 'Brand found.', { account })
  })
  const shapes = { body: BrandPatchBody, reply: AccountBrandPatchReply }
  const patch = {
    ...described('Change what payers see of the account', ACCOUNTS, shapes, KEY_ONLY),
    description: 'What is left out stays, and null clears. Payment pages show it within a second or two.',
  }
  const parse = parserOf(BrandPatchBody)
  app.patch(PATH, { schema: patch, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const account = await changeBrand(deps.changes, changerOf(request), parse(request.body ?? {}))
    if (isRefusal(account)) return sendRefusal(reply, account)
    return succeed(reply, '200', 'Brand updated.', { account })
  })
}
