// What a caller sent is not what it must be. Caught where the request is answered.

/** The message says what is wrong, to whoever sent it. */
export class Malformed extends Error {}
