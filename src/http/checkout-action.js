import { assetDue } from '../domain/quotes.js';
import { eip681Uri } from '../formats/eip681.js';
/** Whether its time has passed. */
export const isOver = ({ expiresAt }, nowMs) => expiresAt !== null && expiresAt <= nowMs;
/** The same address for the rest alone, at the price of the attempt; as it was where the rest is too small to be sent. */
export function actionForRest(action, { quote }, restMinor, { terms }) {
    const rest = quote && assetDue(restMinor, terms.currency, quote);
    if (!rest || 'fault' in rest)
        return action;
    const { address } = action;
    const chainId = Number(quote.network.slice(quote.network.indexOf(':') + 1));
    const uri = eip681Uri({ chainId, token: quote.token, address, units: rest.units });
    return { ...action, amount: rest.text, uri };
}
