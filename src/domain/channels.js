import { nextCutOff } from './windows.js';
// One view of each version, so that whatever is remembered of a version holds for its view as well.
const inboundViews = new WeakMap();
/** The channel as it prices money that comes in; null where it brings none. */
export function inbound(channel) {
    const { collect } = channel;
    if (!collect)
        return null;
    const known = inboundViews.get(channel);
    if (known)
        return known;
    const view = { ...channel, covered: collect.covered, terms: collect.terms, recipient: [] };
    inboundViews.set(channel, view);
    return view;
}
/** When a transfer that is paid at a moment leaves, in milliseconds since the epoch: after the undo window, at a cut-off. */
export function dispatchAt(channel, paidAtMs) {
    const readyAt = paidAtMs + channel.undoSeconds * 1000;
    // Where no window opens in sight it is worked on when it is ready, and the rail says why not.
    return channel.windows === null ? readyAt : (nextCutOff(channel.windows, readyAt) ?? readyAt);
}
/** By when a transfer that is paid at a moment has arrived, as far as anybody can say. */
export function arrivalAt(channel, paidAtMs) {
    return channel.arrivalSeconds === null ? null : dispatchAt(channel, paidAtMs) + channel.arrivalSeconds * 1000;
}
