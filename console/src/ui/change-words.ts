// The words of what changed.
import { bilingual } from '../words/bilingual.ts'

export const CHANGE_WORDS = bilingual(
  {
    was: 'was',
    is: 'is now',
    nothing: 'nothing',
    yes: 'yes',
    no: 'no',
    picture: (kilobytes: number) => `a picture, ${kilobytes} kB`,
  },
  {
    was: 'dati',
    is: 'ngayon',
    nothing: 'wala',
    yes: 'oo',
    no: 'hindi',
    picture: (kilobytes: number) => `larawan, ${kilobytes} kB`,
  },
)
