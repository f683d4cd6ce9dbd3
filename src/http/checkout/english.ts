// The payment page in English; its members are those of every other language. `{n}` and `{time}` are filled in by the browser.

export const ENGLISH = {
  skip: 'Skip to the payment',
  language: 'Language',
  testMode: 'TEST: no real money',
  payTo: (merchant: string) => `Pay ${merchant}`,
  forReference: 'For',
  amount: 'Amount',
  fee: 'Fee',
  youPay: 'You pay',
  youPaid: 'You paid',
  paidWith: 'Paid with',
  paidAt: 'Paid on',
  paidTo: 'Paid to',
  paidToWhom: (merchant: string) => `Paid to ${merchant}`,
  paymentNumber: 'Payment number',
  reference: 'Reference',
  timeLeft: 'Time left',
  minutesLeft: '{n} minutes left to pay',
  minuteLeft: '1 minute left to pay',
  timeUp: 'Time is up',
  payBefore: 'Pay before',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Selected: press Ctrl+C to copy',
  checkAgain: 'Check again',
  backTo: (merchant: string) => `Return to ${merchant}`,
  goingBack: (merchant: string) => `Returning to ${merchant} in {n}…`,
  stay: 'Stay on this page',
  print: 'Print the receipt',

  chooseTitle: 'Choose how to pay',
  waysFee: (fee: string) => `with ${fee} fee`,
  waysNoFee: 'No fee',
  waysSame: 'No fee is added, whichever you choose.',
  waysPrice: (amount: string, fee: string) => `You pay ${amount}, ${fee}, whichever you choose.`,
  forms: {
    e_wallet: (name: string) => `${name} app or website`,
    code: 'Scan with any bank or e-wallet',
    card_token: 'Credit or debit, on the card provider’s page',
    own_wallet: 'A wallet that you hold here',
    asset: (asset: string, network: string) => `${asset} on ${network}`,
  },
  noWays: (merchant: string) => `There is no way to pay this amount at the moment. Please ask ${merchant}.`,
  resume: (name: string) => `You started to pay with ${name}.`,
  resumeLink: 'Continue with it',

  walletText:
    'Whoever holds a wallet at this gateway pays with their own API key. Give them this payment code, or run the command.',
  walletCode: 'Payment code',
  walletCommand: 'Command',

  cardPlace: 'the card provider',

  cryptoRefund: 'Your address for money that comes back (optional)',
  cryptoRefundHint:
    'If you send too much or too late, it is sent back there. Use an address of your own, not that of an exchange.',
  cryptoShow: 'Show the address to pay to',

  startingTitle: (name: string) => `Connecting to ${name}…`,
  startingText: 'This takes a moment. Please do not pay in another way yet.',
  another: 'Choose another way to pay',

  redirectTitle: (name: string) => `Pay with ${name}`,
  redirectText: (name: string, amount: string) =>
    `Confirm the payment of ${amount} at ${name}. You will come back here afterwards.`,
  redirectGo: (name: string) => `Continue to ${name}`,
  returnedTitle: (name: string) => `Waiting for ${name}`,
  returnedText: (name: string) =>
    `This page shows it as soon as ${name} confirms your payment. Not finished there? Continue below.`,

  qrTitle: 'Scan to pay',
  qrPayee: 'Your app will show:',
  qrPicture: 'QR code of the payment',
  qrSteps: [
    'Open your bank or e-wallet app and choose to pay by QR.',
    'Scan the code. Paying on this phone? Save the code or take a screenshot, then upload it in the app.',
    'Check the amount and the name, then confirm.',
  ],
  qrSave: 'Save the QR code',
  qrText: 'Code as text',

  addressTitle: (asset: string) => `Send ${asset}`,
  addressRestTitle: (asset: string) => `Send the rest in ${asset}`,
  addressWarn: (asset: string, network: string) =>
    `Send only ${asset}, and only on ${network}. Anything else may be lost.`,
  addressPicture: 'QR code of the payment link',
  addressOpen: 'Open in a wallet app',
  address: 'Address',
  addressAmount: 'Amount to send',
  network: 'Network',
  confirmations: (done: number, needed: number) => `${done} of ${needed} confirmations`,
  confirmationsNeeded: (needed: number) => `Your payment counts after ${needed} confirmations on the network.`,

  lapsedTitle: 'This price has expired',
  lapsedText:
    'Please choose again for a new price. If you have already sent money, do not send more: wait on this page.',

  processingTitle: 'Your payment is being processed',
  confirmingText:
    'Your money has been seen, and the network is confirming it. You can close this page: nothing is lost.',
  processingText: (name: string) => `We are waiting for ${name}. You can close this page: nothing is lost.`,
  closingTitle: 'One moment please',
  closingText: (name: string) => `This payment is being closed. We are asking ${name} whether anything was paid.`,

  paidTitle: 'Paid. Thank you!',
  receipt: 'Receipt',
  cancelledTitle: 'This payment was cancelled',
  cancelledText: (merchant: string) => `${merchant} cancelled it. Please do not pay it any more.`,
  expiredTitle: 'This payment has expired',
  expiredText: (merchant: string) => `Please do not pay it any more. Ask ${merchant} for a new one.`,

  part: (received: string, rest: string) =>
    `${received} has arrived. ${rest} is still missing: please send the rest in the same way.`,
  unfit: (amount: string) => `${amount} arrived, which is not the right amount. It will be sent back to you.`,
  excess: (amount: string) => `You paid ${amount} too much. It will be sent back to you.`,
  late: (amount: string) => `${amount} arrived too late. It will be sent back to you.`,
  held: (amount: string, merchant: string) =>
    `${amount} arrived that does not fit. It is safe, but it cannot go back by itself: please contact ${merchant} with the payment number.`,
  heldExcess: (amount: string, merchant: string) =>
    `You paid ${amount} too much. It is safe, but it cannot go back by itself: please contact ${merchant} with the payment number.`,
  returning: (amount: string) => `${amount} is on its way back to you.`,
  returned: (amount: string) => `${amount} has been sent back to you.`,
  refunding: (amount: string, merchant: string) => `${merchant} is refunding ${amount} to you.`,
  refunded: (amount: string, merchant: string) => `${merchant} has refunded ${amount} to you.`,

  failedTitle: (name: string) => `The payment with ${name} did not go through`,
  failures: {
    declined: 'It was declined. Nothing was paid.',
    funds: 'There was not enough money in the account. Nothing was paid.',
    authentication: 'It was not confirmed with the right code. Nothing was paid.',
    stopped: 'It was cancelled before anything was paid.',
    amount: 'The amount that arrived is not the amount to pay.',
    token: 'This card token is not known, or was used before.',
    other: 'Nothing was paid.',
  },
  tryAgain: 'Try again',
  tryAnother: 'Please try again, or choose another way.',
  problems: {
    method: 'This way to pay cannot be used now. Please choose another.',
    refundAddress: 'The address for money that comes back is not right. Correct it, or leave it empty.',
    processing: 'A payment is being processed already. Please wait for it.',
    exhausted: 'There were too many attempts. Please ask for a new payment.',
    away: 'The gateway is busy at the moment. Nothing was paid. Please try again.',
    crossSite: 'That request came from another site and was not carried out. Please choose here.',
  },

  helpTitle: 'Questions',
  help: (merchant: string) => `Questions about this payment? Ask ${merchant}.`,

  notFoundTitle: 'There is no payment here',
  notFoundText: 'The link is incomplete or was mistyped. Please open it again from where you received it.',
  faultTitle: 'This page is not available right now',
  faultText: 'Please try again in a moment. If you have paid already, do not pay again: nothing is lost.',
}

/** The texts that each language has. */
export type Words = typeof ENGLISH
