/** `npm run test:chaos` runs the long proofs with their full counts, `npm test` a few rounds of each. */
export const isFullCount = process.env['SAV_TEST_CHAOS'] === '1'
