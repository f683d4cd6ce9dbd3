// The one way to say that something impossible happened. A Broken is our fault, never the caller's.
/** Thrown when a fact that the code relies on does not hold. It undoes the batch it happened in. */
class Broken extends Error {
    name = 'Broken';
}
/** Throws {@link Broken} with `fact` unless `holds`. */
export function invariant(holds, fact) {
    if (!holds)
        throw new Broken(`broken invariant: ${fact}`);
}
