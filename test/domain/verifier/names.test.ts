// Names compared as people spell them: a table of pairs with the word for each, and what holds for any two.
import { expect, test } from 'vitest'
import { jaroWinkler, masked, matchOf, nameScore, THRESHOLDS } from '../../../src/domain/verifier/names.ts'

test.each([
  ['Ana Reyes', 'ANA REYES', 'match'],
  ['José Rizal', 'Jose Rizal', 'match'],
  ['Reyes, Ana', 'Ana Reyes', 'match'],
  ['Juan dela Cruz', 'Juan de la Cruz', 'match'],
  ['Mr. Juan dela Cruz Jr.', 'Juan dela Cruz', 'match'],
  ['Reyes Trading Corp.', 'Reyes Trading Corporation', 'match'],
  ['Juan dela Crux', 'Juan dela Cruz', 'match'],
  ['Maria C. Santos', 'Maria Clara Santos', 'close'],
  ['Maria Santos', 'Maria Clara Santos', 'close'],
  ['J. Rizal', 'José Rizal', 'close'],
  ['Ana Reyes', 'Ana Santos', 'no_match'],
  ['Ana Reyes', 'Pedro Penduko', 'no_match'],
  ['Li Wei', 'Wei Zhang', 'no_match'],
  ['李伟', '李伟', 'match'],
  ['', 'Ana', 'no_match'],
  ['...', '...', 'no_match'],
])('%s and %s: %s', (one, other, word) => {
  const score = nameScore(one, other)
  expect([matchOf(score, THRESHOLDS), matchOf(nameScore(other, one), THRESHOLDS), score]).toEqual([word, word, score])
})

test('the measure is the published one', () => {
  // The pairs of Winkler's papers.
  expect(jaroWinkler('martha', 'marhta')).toBeCloseTo(0.9611, 3)
  expect(jaroWinkler('dwayne', 'duane')).toBeCloseTo(0.84, 2)
  expect(jaroWinkler('dixon', 'dicksonx')).toBeCloseTo(0.8133, 3)
})

test('of a stranger’s name initials alone are shown', () => {
  expect(masked('Maria Clara Santos')).toBe('M•••• C•••• S•••••')
})
