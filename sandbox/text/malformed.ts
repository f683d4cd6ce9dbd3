// What a caller sent is not what it must be. Caught where the request is answered.

/** The message says what is wrong, for the sender. */
export class Malformed extends Error {}
