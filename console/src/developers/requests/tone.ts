// How the status of a reply looks.
import type { Tone } from '../../ui/atoms.tsx'

export const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')
