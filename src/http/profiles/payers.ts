// The route by which the payer of a payment contract becomes a profile.
import { COMMAND } from '../openapi/facts.ts'
import { duplicatesOf } from '../../app/profiles/changes.ts'
import { namePayer, profileAt } from '../../app/profiles/payers.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import { IdParams } from '../../wire/api.ts'
import { presentPayment } from '../../wire/payment.ts'
import { PayerProfileBody, PayerProfileReply, presentDuplicates, presentProfile } from '../../wire/profiles/profile.ts'
import { callerOf, changerOf, type Context, contractOrRefuse, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { commandCallerOf } from '../request/command-caller.ts'
import { goesOn } from '../request/keyed.ts'
import { tagged } from '../request/versions.ts'
import { WRITE } from './profiles.ts'

export function payerRoutes(context: Context): void {
  const { app, deps, presenter } = context
  const shapes = { params: IdParams, body: PayerProfileBody, reply: PayerProfileReply }
  const schema = described(
    'payments.save_payer',
    'Save the payer of a payment contract as a profile',
    'Payment contracts',
    shapes,
    WRITE,
    COMMAND,
    {
      // What the rail told of the payer stands in the contract, too.
      scopes: ['contracts:read'],
      refusals: [
        'payment_not_paid',
        'payer_names_exhausted',
        'payer_not_known',
        'profile_not_found',
        'profile_archived',
        'destinations_full',
        'channel_not_in_mode',
      ],
    },
  )
  const parse = parserOf(PayerProfileBody)
  app.post(
    '/contracts/payment/:id/payer-profile',
    { schema, onRequest: guard(context, WRITE) },
    async (request, reply) => {
      const { id } = request.params
      const caller = callerOf(request)
      if (!caller.scopes.has('contracts:read'))
        return sendRefusal(reply, refuse('scope_missing', null, 'The credential lacks the scope contracts:read.'))
      const { profile: profileId = null } = parse(request.body ?? {})
      const requester = commandCallerOf(request, id)
      if (isRefusal(requester)) return sendRefusal(reply, requester)
      if (!(await goesOn(deps, request, reply, caller))) return reply
      const asking = {
        caller,
        requester: { ...requester, idempotency: null },
        changer: { ...changerOf(request), claim: null },
      }
      const done = contractOrRefuse(reply, await namePayer(deps, asking, id, profileId))
      if (done?.contract.kind !== 'payment' || !done.contract.payerProfile) return reply
      const profile = await profileAt(deps, caller, done.contract.payerProfile)
      tagged(reply, done.contract)
      return succeed(reply, 200, 'The payer is a profile.', {
        contract: presentPayment(presenter, done.contract, caller.profileId),
        profile: presentProfile(profile, profile.id === caller.profileId ? 'own' : 'contact'),
        duplicates: presentDuplicates(await duplicatesOf(deps, profile)),
      })
    },
  )
}
