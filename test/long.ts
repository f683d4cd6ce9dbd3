// Which tests run in `npm run test:long` instead of `npm test`: whole journeys, and processes that are killed at many points.
// `npm test` is for every change, and ends within minutes; both run in CI.
export const LONG_TESTS = ['test/walks/**/*.test.ts', 'test/**/*.long.test.ts']
