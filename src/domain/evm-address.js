// Addresses of EVM chains as people type them (EIP-55). Pure; it knows no chain and no network.
import { keccak_256 } from '@noble/hashes/sha3';
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ZERO = `0x${'0'.repeat(40)}`;
/**
 * An address that money may go to, with its checksum, or a sentence that says how to mend it. One in lower case alone
 * carries no checksum and is taken as it is; any other must have the right one.
 */
export function payableAddress(text, taken) {
    if (!isAddressText(text))
        return { fault: 'Give an address of the chain: 0x and 40 hexadecimal digits.' };
    const address = checksummed(text);
    if (text !== address && text !== text.toLowerCase())
        return {
            fault: 'The checksum of the address is wrong (EIP-55), so it was mistyped. Copy it anew from the wallet.',
        };
    if (address === ZERO)
        return { fault: 'Nobody holds the zero address. Give the address of the recipient.' };
    const owner = taken.find((each) => checksummed(each.address) === address);
    return owner ? { fault: `The address is ${owner.whose}. Give the address of the recipient.` } : { address };
}
function isAddressText(text) {
    return ADDRESS.test(text);
}
/** With the case of its letters by EIP-55: that of a digit of the hash over 7 is upper. */
function checksummed(text) {
    const digits = text.slice(2).toLowerCase();
    const hash = keccak_256(digits);
    const half = (place) => ((hash[place >> 1] ?? 0) >> (place % 2 === 0 ? 4 : 0)) & 15;
    return `0x${digits.replace(/[a-f]/g, (letter, place) => (half(place) > 7 ? letter.toUpperCase() : letter))}`;
}
