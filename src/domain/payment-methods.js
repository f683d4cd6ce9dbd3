// The ways in which a payment contract can be paid at this moment, with what each costs. Pure.
import { inbound } from './channels.js';
import { isValid, previewOf } from './preview.js';
/** What a payer may choose: the channel that the caller fixed, or every one that takes the amount. */
export function methodsFor(channels, payment) {
    return channelsFor(channels, payment).flatMap((channel) => {
        const priced = inbound(channel);
        const preview = previewOf({ ...payment.terms, channelId: channel.id }, priced);
        if (!priced || !channel.collect || !isValid(preview))
            return [];
        const { feeMinor, debitMinor } = preview;
        const asset = channel.asset && { asset: channel.asset.asset, network: channel.asset.network };
        return [{ kind: channel.collect.kind, channelId: channel.id, name: channel.name, feeMinor, debitMinor, asset }];
    });
}
function channelsFor(channels, payment) {
    const { terms, channelFixed, channelVersion, livemode } = payment;
    if (channelFixed && terms.channelId !== null && channelVersion !== null) {
        const fixed = channels.at(terms.channelId, channelVersion);
        return fixed ? [fixed] : [];
    }
    const mode = livemode ? 'live' : 'test';
    return channels.all().filter((each) => each.collect && (each.mode === 'both' || each.mode === mode));
}
