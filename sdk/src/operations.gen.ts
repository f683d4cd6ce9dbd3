// The operations of the API, and the steps of contracts. Made by scripts/sdk.ts: npm run generate.

/** The API's version that this client is made for. */
export const VERSION = "2026-11-01"

export const OPERATIONS = `transfers.create POST /contracts/transfer b contract amount,preview.amount,preview.fees.total
transfers.list GET /contracts/transfer q [contracts
transfers.update PATCH /contracts/transfer/{id} b contract amount,preview.amount,preview.fees.total
transfers.cancel DELETE /contracts/transfer/{id} b *
transfers.get GET /contracts/transfer/{id} - contract
transfers.issue PUT /contracts/transfer/{id}/issue b contract preview.amount,preview.fees.total
transfers.pay PUT /contracts/transfer/{id}/pay b contract preview.amount,preview.fees.total
payments.cancel DELETE /contracts/payment/{id} b *
payments.get GET /contracts/payment/{id} - contract
transfers.retry PUT /contracts/transfer/{id}/retry b contract
approvals.approve PUT /contracts/transfer/{id}/approve b contract
approvals.reject PUT /contracts/transfer/{id}/reject b contract
approvals.list GET /approvals q [approvals
approvals.get GET /approvals/{id} - approval
approvals.approveAll POST /approvals/approve b *
transfers.activities GET /contracts/transfer/{id}/activities q [activities
payments.activities GET /contracts/payment/{id}/activities q [activities
transfers.attempts GET /contracts/transfer/{id}/attempts q [attempts
payments.attempts GET /contracts/payment/{id}/attempts q [attempts
transfers.entries GET /contracts/transfer/{id}/entries q [entries
payments.entries GET /contracts/payment/{id}/entries q [entries
transfers.explain GET /contracts/transfer/{id}/explain - explanation
payments.explain GET /contracts/payment/{id}/explain - explanation
transfers.receipt GET /contracts/transfer/{id}/receipt - receipt
payments.receipt GET /contracts/payment/{id}/receipt - receipt
transfers.deliveries GET /contracts/transfer/{id}/deliveries q [deliveries
payments.deliveries GET /contracts/payment/{id}/deliveries q [deliveries
payments.create POST /contracts/payment b contract amount,preview.amount,preview.fees.total
payments.list GET /contracts/payment q [contracts
payments.pay PUT /contracts/payment/{id}/pay b contract
payments.refund POST /contracts/payment/{id}/refunds b contract amount
payments.return POST /contracts/payment/{id}/returns b contract
events.list GET /events q [events
events.get GET /events/{id} - *
requests.list GET /requests q [requests
schedules.create POST /schedules b schedule template.amount,template.preview.amount,template.preview.fees.total
schedules.list GET /schedules q [schedules
schedules.next POST /schedules/next b *
schedules.get GET /schedules/{id} - schedule
schedules.update PATCH /schedules/{id} b schedule
schedules.end DELETE /schedules/{id} - schedule
schedules.runs GET /schedules/{id}/runs q [runs
schedules.pause PUT /schedules/{id}/pause - schedule
schedules.resume PUT /schedules/{id}/resume - schedule
profiles.create POST /profiles b *
profiles.list GET /profiles q [profiles
profiles.get GET /profiles/{id} q profile
profiles.update PATCH /profiles/{id} b *
profiles.archive DELETE /profiles/{id} - profile
profiles.versions GET /profiles/{id}/versions q [profiles
profiles.restore PUT /profiles/{id}/restore - profile
policies.create POST /policies b policy when.*.value,then.tiers.*.up_to,then.tiers.*.pct,then.tiers.*.add,then.tiers.*.min,then.tiers.*.max
policies.list GET /policies q [policies
policies.get GET /policies/{id} q policy
policies.update PATCH /policies/{id} b policy when.*.value,then.tiers.*.up_to,then.tiers.*.pct,then.tiers.*.add,then.tiers.*.min,then.tiers.*.max
policies.archive DELETE /policies/{id} - policy
policies.versions GET /policies/{id}/versions q [policies
policies.pause PUT /policies/{id}/pause - policy
policies.resume PUT /policies/{id}/resume - policy
policies.preview POST /policies/preview b preview when.*.value,then.tiers.*.up_to,then.tiers.*.pct,then.tiers.*.add,then.tiers.*.min,then.tiers.*.max
policies.place PUT /policies/{id}/place b policies
policies.evaluateAll POST /policies/evaluate b evaluation policy.when.*.value,policy.then.tiers.*.up_to,policy.then.tiers.*.pct,policy.then.tiers.*.add,policy.then.tiers.*.min,policy.then.tiers.*.max,draft.amount,draft.preview.amount,draft.preview.fees.total
policies.evaluate POST /policies/{id}/evaluate b evaluation draft.amount,draft.preview.amount,draft.preview.fees.total
policies.rehearse POST /policies/rehearse b rehearsal policy.when.*.value,policy.then.tiers.*.up_to,policy.then.tiers.*.pct,policy.then.tiers.*.add,policy.then.tiers.*.min,policy.then.tiers.*.max
commands.create POST /commands b command
commands.list GET /commands q [commands
commands.addRows POST /commands/{id}/rows b command
commands.rows GET /commands/{id}/rows q [rows
commands.get GET /commands/{id} - *
commands.start PUT /commands/{id}/start - command
commands.pause PUT /commands/{id}/pause - command
commands.resume PUT /commands/{id}/resume - command
commands.cancel PUT /commands/{id}/cancel - command
wallets.list GET /wallets q [wallets
wallets.create POST /wallets b wallet low_balance
wallets.get GET /wallets/{id} q *
wallets.update PATCH /wallets/{id} b wallet low_balance
wallets.topUp POST /wallets/{id}/topups b * amount
wallets.entries GET /wallets/{id}/entries q [entries
wallets.statement GET /wallets/{id}/statement q *
destinations.create POST /profiles/{id}/destinations b *
destinations.update PATCH /profiles/{id}/destinations/{destination} b *
destinations.archive DELETE /profiles/{id}/destinations/{destination} - *
payments.savePayer POST /contracts/payment/{id}/payer-profile b *
verifiers.list GET /verifiers - *
verifiers.create POST /verifiers b verifier
verifiers.get GET /verifiers/{id} - verifier
verifiers.update PATCH /verifiers/{id} b verifier
verifiers.archive DELETE /verifiers/{id} - verifier
verifiers.rollSecret POST /verifiers/{id}/roll-secret b verifier
verifiers.try POST /verifiers/{id}/try b verifier_trial
verifierEntries.list GET /verifiers/{id}/entries q [entries
verifierEntries.create POST /verifiers/{id}/entries b *
verifierEntries.remove DELETE /verifiers/{id}/entries/{entry} - verifier
verifications.create POST /verifications b verification
verifications.list GET /verifications q [verifications
verifications.get GET /verifications/{id} - verification
verifications.retry PUT /verifications/{id}/retry - verification
verifications.answer POST /verifications/{id}/answer b verification
verifications.pass PUT /verifications/{id}/pass b verification
verifications.fail PUT /verifications/{id}/fail b verification
webhookEndpoints.create POST /webhook-endpoints b webhook_endpoint
webhookEndpoints.list GET /webhook-endpoints - [webhook_endpoints
webhookEndpoints.get GET /webhook-endpoints/{id} - webhook_endpoint
webhookEndpoints.update PATCH /webhook-endpoints/{id} b webhook_endpoint
webhookEndpoints.delete DELETE /webhook-endpoints/{id} - webhook_endpoint
webhookEndpoints.pause PUT /webhook-endpoints/{id}/pause - webhook_endpoint
webhookEndpoints.resume PUT /webhook-endpoints/{id}/resume - webhook_endpoint
webhookEndpoints.rollSecret POST /webhook-endpoints/{id}/roll-secret b webhook_endpoint
webhookEndpoints.test POST /webhook-endpoints/{id}/test b delivery_test
webhookEndpoints.replay POST /webhook-endpoints/{id}/replay b replay
webhookEndpoints.deliveries GET /webhook-endpoints/{id}/deliveries q [deliveries
webhookEndpoints.attempts GET /webhook-endpoints/{id}/deliveries/{delivery}/attempts - [attempts
resources.list GET /resources - [resources
resources.get GET /resources/{id} - resource
search.find GET /search q [results
sandbox.get GET /sandbox - sandbox
sandbox.script POST /sandbox/scenarios b script
sandbox.reset DELETE /sandbox/scenarios - ended
sandbox.moveClock POST /sandbox/clock b clock
sandbox.orders GET /sandbox/orders q [orders
channels.list GET /channels - [channels
channels.get GET /channels/{id} - channel
channels.policy GET /channels/{id}/policy q policy
channels.compare POST /channels/compare b * amount,preview.amount,preview.fees.total
accounts.me GET /accounts/me - account
accounts.update PATCH /accounts/me b account
overview.get GET /overview q overview
usage.get GET /usage q [usage
audit.list GET /audit q [entries
keys.create POST /keys b * transfer_max.*.amount,mandate.limits.*.total,mandate.limits.*.per_transfer,mandate.limits.*.approval_above
keys.list GET /keys q [keys
keys.current GET /keys/current - key
keys.get GET /keys/{id} - key
keys.update PATCH /keys/{id} b key transfer_max.*.amount,mandate.limits.*.total,mandate.limits.*.per_transfer,mandate.limits.*.approval_above
keys.revoke DELETE /keys/{id} - key
keys.roll POST /keys/{id}/roll b *
members.invite POST /members b *
members.list GET /members q [members
members.get GET /members/{id} - member
members.update PATCH /members/{id} b member
members.remove DELETE /members/{id} - member
members.reset POST /members/{id}/reset - *
invitations.get GET /invitations/{token} - invitation
invitations.accept POST /invitations/{token}/accept bu enrolment
invitations.confirm POST /invitations/{token}/confirm bu *
sessions.create POST /sessions bu *
sessions.list GET /sessions - [sessions
sessions.passkeyOptions POST /sessions/passkey-options bu options
sessions.current GET /sessions/current - *
sessions.endCurrent DELETE /sessions/current u session
sessions.end DELETE /sessions/{id} u session
password.update PUT /members/me/password bu member
authenticator.begin POST /members/me/authenticator bu authenticator
authenticator.confirm PUT /members/me/authenticator bu member
authenticator.remove DELETE /members/me/authenticator bu member
recoveryCodes.create POST /members/me/recovery-codes bu recovery_codes
passkeys.options POST /members/me/passkeys/options bu options
passkeys.create POST /members/me/passkeys bu passkey
passkeys.list GET /members/me/passkeys - [passkeys
passkeys.remove DELETE /members/me/passkeys/{id} u passkey
sessions.oidc POST /sessions/oidc bu url
operations.transfers GET /operations/transfers q [transfers
operations.closeTransfer PUT /operations/transfers/{id}/close b contract_id
resolutions.list GET /operations/resolutions q [resolutions
resolutions.create POST /operations/resolutions b resolution
resolutions.get GET /operations/resolutions/{id} - resolution
resolutions.approve PUT /operations/resolutions/{id}/approve b resolution
resolutions.reject PUT /operations/resolutions/{id}/reject b resolution
freezes.list GET /operations/freezes - [freezes
freezes.create POST /operations/freezes b freeze
freezes.acknowledge DELETE /operations/freezes/{channel} b channel
payouts.get GET /operations/payouts - payouts
payouts.pause PUT /operations/payouts/pause b payouts
payouts.resume PUT /operations/payouts/resume b payouts
recovery.get GET /operations/recovery - recovery
recovery.compare PUT /operations/recovery/compare b recovery
recovery.resume PUT /operations/recovery/resume b recovery
unallocatedEvents.list GET /operations/payment-events q [events
unallocatedEvents.take PUT /operations/payment-events/{id}/take b * amount
reconciliations.list GET /operations/reconciliations q [reconciliations
reconciliations.create POST /operations/reconciliations b reconciliation
reconciliations.get GET /operations/reconciliations/{id} - reconciliation
operations.balances GET /operations/balances - *
operations.entries GET /operations/entries q [entries
proofs.list GET /operations/proofs q [proofs
proofs.create POST /operations/proofs b proof
proofs.get GET /operations/proofs/{id} - proof
health.live GET /healthz - -
health.ready GET /readyz - -
tokens.create POST /oauth/token b -`

export const STEPS = {
  "transfers.update": {
    "draft": [
      "draft"
    ]
  },
  "transfers.issue": {
    "draft": [
      "issued"
    ]
  },
  "transfers.cancel": {
    "draft": [
      "cancelled"
    ],
    "issued": [
      "cancelled"
    ],
    "paid": [
      "cancelled",
      "paid"
    ],
    "returned": [
      "cancelled"
    ]
  },
  "transfers.pay": {
    "issued": [
      "paid"
    ]
  },
  "transfers.retry": {
    "paid": [
      "paid"
    ]
  },
  "payments.pay": {
    "issued": [
      "paid",
      "completed",
      "issued"
    ]
  },
  "payments.cancel": {
    "issued": [
      "cancelled",
      "issued"
    ]
  },
  "payments.savePayer": {
    "paid": [
      "paid"
    ],
    "completed": [
      "completed"
    ]
  },
  "payments.refund": {
    "paid": [
      "paid"
    ],
    "completed": [
      "completed"
    ]
  }
} as const

export const NEXT = {
  "transfer": {
    "draft": [
      "issued",
      "cancelled",
      "expired"
    ],
    "issued": [
      "cancelled",
      "expired",
      "paid"
    ],
    "paid": [
      "completed",
      "cancelled"
    ],
    "completed": [
      "returned"
    ],
    "cancelled": [],
    "expired": [],
    "returned": [
      "cancelled"
    ]
  },
  "payment": {
    "issued": [
      "cancelled",
      "expired",
      "paid"
    ],
    "paid": [
      "completed"
    ],
    "completed": [],
    "cancelled": [],
    "expired": []
  }
} as const
