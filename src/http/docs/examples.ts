// Bodies to start from, for the operations whose shape alone does not show what a sensible request is.

import { EXAMPLES } from '../../connectors/catalogue.ts'

const RECIPIENT = {
  name: 'Maria Santos',
  email: 'maria.santos@example.com',
  mobile: '+639171234567',
  wallet: '000123456789',
  country: 'PH',
}

const TRANSFER = { amount: 1500, currency: 'PHP', channel: EXAMPLES.trial, recipient: RECIPIENT }

export const REQUEST_EXAMPLES = {
  'post /contracts/transfer': {
    ...TRANSFER,
    description: 'October salary',
    deliverable: { type: 'salary', reference_id: 'payroll-2026-10-0042' },
  },
  'patch /contracts/transfer/{id}': { amount: 1600 },
  'delete /contracts/transfer/{id}': { reason: 'Ordered twice.' },
  'post /channels/compare': { amount: 1500, currency: 'PHP', recipient: RECIPIENT },
  'post /contracts/payment': {
    amount: 500,
    currency: 'PHP',
    description: 'Coffee, two bags',
    deliverable: { type: 'order', reference_id: 'order-17' },
    return_url: 'https://shop.example.com/thanks',
  },
  'put /contracts/payment/{id}/pay': { type: EXAMPLES.eWallet, [EXAMPLES.eWallet]: { mobile: '09171234567' } },
  'post /contracts/payment/{id}/refunds': { amount: 100, reason: 'One bag was torn.' },
  'post /contracts/payment/{id}/returns': {
    channel: EXAMPLES.bank,
    recipient: { name: 'Maria Santos', wallet: '000123456789', tag: 'BOPIPHMM' },
  },
  'post /webhooks': {
    id: 'evt_81',
    type: 'payment_intent.succeeded',
    created_at: 1_795_000_000,
    data: { object: { id: 'pi_7', reference: 'order-17', amount: 500, currency: 'PHP', status: 'succeeded' } },
  },
  'post /oauth/token': { grant_type: 'client_credentials' },
}
