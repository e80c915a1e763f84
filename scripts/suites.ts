/** A part of the tests that runs by itself. */
export interface Suite {
  /** Of the files that run: what their paths contain. None: all. */
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** By their names in `npm run test:<name>`; `test` is `npm test`. */
export const suites = {
  test: { files: [], env: {} },
  chaos: { files: ['chaos'], env: { SAV_TEST_CHAOS: '1' } },
  adversary: { files: ['adversary'], env: { SAV_TEST_CHAOS: '1' } },
  full: { files: ['.full.test', 'console/test/screens.test.ts'], env: { SAV_TEST_FULL: '1' } },
  /** Schemathesis over the contract, at least 3,000 requests; SAV_TEST_SEED=N for others. */
  fuzz: { files: ['packages/http-node/test/fuzz.test.ts'], env: { SAV_TEST_FUZZ: '1' } },
} as const satisfies Readonly<Record<string, Suite>>

export type SuiteName = keyof typeof suites

export const suiteNames = Object.keys(suites) as readonly SuiteName[]
