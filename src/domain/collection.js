/** The ways to pay (spec 1): two e-wallets, QR code, card, a wallet of this gateway, and crypto. */
export const PAYMENT_KINDS = ['gcash', 'maya', 'qr', 'card', 'wallet', 'crypto'];
