// The one prompt: pay somebody, step by step.

export const PAY_SOMEBODY = {
  name: 'pay_somebody',
  title: 'Pay somebody',
  description: 'Draft, price, show and pay a transfer, with the person’s word before anything is bound.',
  arguments: [
    { name: 'who', description: 'Whom: a name, a saved profile, an account or a mobile number.', required: true },
    { name: 'amount', description: 'How much, with its currency, such as PHP 1500.', required: true },
    { name: 'what_for', description: 'What for.', required: false },
  ],
}

export function payWords({ who, amount, what_for: reason }: Readonly<Record<string, string>>): string {
  const told = `Pay ${amount ?? 'an amount that you ask me for'} to ${who ?? 'whom I name'}${reason === undefined ? '' : `, for: ${reason}`}.`
  return [
    told,
    '1. Look for the recipient with search; a saved profile is safer than typed account numbers. Ask me where several fit.',
    '2. Compare the channels with compare_channels, and tell me the cheapest and the quickest.',
    '3. Make the draft with draft_transfer, and mend what it lacks with update_draft.',
    '4. Call issue_transfer and pay_transfer without a confirmation, show me what they answer, and wait for my yes.',
    '5. Only then call again with the confirmation, and tell me with explain_contract where the money is.',
  ].join('\n')
}
