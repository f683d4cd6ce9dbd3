export const PAYMENT_ATTEMPT_STATUSES = [
    'starting',
    'pending',
    'processing',
    'unknown',
    'succeeded',
    'failed',
    'cancelled',
];
export const isLiveAttempt = ({ status }) => status === 'starting' || status === 'pending' || status === 'processing' || status === 'unknown';
/** The attempt that the payer is at, or null. */
export function currentAttempt({ attempts }) {
    return attempts.at(-1) ?? null;
}
