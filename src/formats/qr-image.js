// The picture of a QR code as SVG, to be put into a page as it is. It knows nothing of what the text means.
import { encodeQR } from 'qr';
import { invariant } from '../domain/invariant.js';
/** Modules of white that every side needs (ISO/IEC 18004). */
const QUIET_MODULES = 4;
/** UTF-8 bytes that the largest code holds at error correction M. */
const BYTES_MAX = 2331;
/**
 * One SVG element of the text at error correction M. Its colours are its own, so that it scans on a dark page; it has no
 * size but its proportions, and the title is what a screen reader says. A text that fits no code throws.
 */
export function qrSvg(text, title) {
    const bytes = new TextEncoder().encode(text).length;
    invariant(bytes > 0 && bytes <= BYTES_MAX, `a QR code holds 1 to ${BYTES_MAX} bytes, not ${bytes}`);
    invariant(title.trim() !== '', 'a picture without a title');
    const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES });
    const side = modules.length;
    return (`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" shape-rendering="crispEdges">` +
        `<title>${escaped(title)}</title>` +
        `<rect width="${side}" height="${side}" fill="#fff"/>` +
        `<path d="${modules.map(rowOf).join('')}" stroke="#000"/>` +
        '</svg>');
}
/** The dark runs of a row as strokes one module wide along its middle: half as long as their outlines would be. */
function rowOf(modules, row) {
    let drawn = '';
    let pen = 0;
    for (let from = modules.indexOf(true); from >= 0; from = modules.indexOf(true, pen)) {
        // There is a light one after every run: the quiet side.
        const to = modules.indexOf(false, from);
        drawn += drawn === '' ? `M${from} ${row}.5` : `m${from - pen} 0`;
        drawn += `h${to - from}`;
        pen = to;
    }
    return drawn;
}
/** As the text of an element: with what XML cannot say left out. */
function escaped(text) {
    return text
        .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]+/gu, ' ')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;');
}
