// The address of the gateway in samples as they are written: the one that it has by default. Pages put their own in its place.
export const WRITTEN = 'http://127.0.0.1:3000'
