import { currentAttempt, isLiveAttempt } from '../domain/payment.js';
import { moneyNotices, partOf } from './checkout-notices.js';
import { actionForRest, isOver } from './checkout-action.js';
/** The page's path, from where the outside world reaches the gateway. */
export const checkoutPath = (token) => `/pay/${token}`;
export function checkoutView(payment, facts) {
    const { nowMs, wantsChoice, merchant, baseUrl, token } = facts;
    const attempt = attemptShown(payment, facts);
    const reached = stateOf(payment, attempt, nowMs);
    const canChoose = reached === 'starting' || reached === 'redirect' || reached === 'qr' || reached === 'address';
    const state = wantsChoice && canChoose ? 'choose' : reached;
    const { terms, version } = payment;
    return {
        token,
        path: checkoutPath(token),
        baseUrl,
        contractId: payment.id,
        livemode: payment.livemode,
        merchant,
        description: terms.description,
        referenceId: terms.deliverable?.referenceId ?? null,
        currency: terms.currency,
        amountMinor: terms.amountMinor,
        state,
        status: payment.status,
        attempt,
        methods: state === 'choose' || state === 'lapsed' ? inOrder(facts.methods) : [],
        notices: moneyNotices(payment),
        nowMs,
        dueAt: dueAtOf(payment, attempt, state),
        paidAt: payment.paidAt,
        returnUrl: webUrl(payment.returnUrl),
        stamp: `${version}.${state}`,
        isFinal: payment.status !== 'issued' && payment.suspenseMinor === 0n && !hasOpenReturn(payment),
    };
}
/** What most payers look for first. */
const ORDER = ['gcash', 'maya', 'qr', 'card', 'crypto', 'wallet'];
const inOrder = (methods) => methods.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
const hasOpenReturn = ({ givenBack }) => givenBack.some((each) => each.status === 'open');
/** Of what was paid, the attempt that paid; else the newest. */
function attemptShown(payment, { channelName }) {
    const { paidAttempt, attempts, paidAt } = payment;
    const paid = paidAttempt === null ? null : (attempts[paidAttempt - 1] ?? null);
    const attempt = paidAt === null ? currentAttempt(payment) : paid;
    if (!attempt)
        return null;
    const { number, kind, status, feeMinor, debitMinor, shown, failure } = attempt;
    const name = channelName(attempt);
    const failureCode = failure?.code ?? null;
    return { number, kind, name, status, feeMinor, debitMinor, action: actionOf(payment, attempt), shown, failureCode };
}
function actionOf(payment, attempt) {
    const action = payment.status === 'issued' && isLiveAttempt(attempt) ? attempt.nextAction : null;
    if (action?.type === 'redirect')
        return webUrl(action.url) === null ? null : action;
    const part = partOf(payment);
    return action?.type === 'display_address' && part ? actionForRest(action, attempt, part.restMinor, payment) : action;
}
function stateOf(payment, attempt, nowMs) {
    switch (payment.status) {
        case 'paid':
        case 'completed':
            return 'paid';
        case 'cancelled':
            return 'cancelled';
        case 'expired':
            return 'expired';
        case 'issued':
            return openState(payment, attempt, nowMs);
    }
}
function openState(payment, attempt, nowMs) {
    const live = payment.attempts.some(isLiveAttempt);
    const isEnding = payment.cancellation?.status === 'pending';
    if (payment.expiresAt <= nowMs && !live)
        return 'expired';
    if (isEnding || payment.expiresAt <= nowMs)
        return 'closing';
    switch (attempt?.status) {
        case 'starting':
        case 'unknown':
            return 'starting';
        case 'pending':
            return pendingState(attempt, nowMs);
        case 'processing':
        // Its money has come; the contract's own word is on its way.
        case 'succeeded':
            return 'processing';
        case 'failed':
        case 'cancelled':
        case undefined:
            return 'choose';
    }
}
function pendingState({ kind, action }, nowMs) {
    if (action === null)
        return kind === 'wallet' ? 'choose' : 'processing';
    if (isOver(action, nowMs))
        return 'lapsed';
    return action.type === 'display_qr' ? 'qr' : action.type === 'display_address' ? 'address' : 'redirect';
}
function dueAtOf({ expiresAt }, attempt, state) {
    if (state === 'choose')
        return expiresAt;
    if (state !== 'redirect' && state !== 'qr' && state !== 'address')
        return null;
    return Math.min(expiresAt, attempt?.action?.expiresAt ?? expiresAt);
}
/** An address of the web as it is, or null: nothing else is ever linked to. */
export function webUrl(text) {
    const url = text === null ? null : URL.parse(text);
    return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
