/** A group of tests that runs separately. */
export interface Suite {
  /** A file belongs to the suite if its path contains one of these texts. Empty: all files. */
  readonly files: readonly string[]
  /** Paths of files that do not belong to the suite, although `files` matches them. */
  readonly without: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Slow tests that `npm test` leaves to the long suites, since a quicker test checks the same rule. Of the tests that
 * kill processes, `npm test` runs `worker-kill`, `planning-kill` and `service-kill`.
 */
const leftToLongSuites = [
  'examples/own-storage/main.test.ts',
  'packages/cli/test/chaos/close-kill.test.ts',
  'packages/cli/test/chaos/connections.test.ts',
  'packages/cli/test/chaos/hanging-stop.test.ts',
  'packages/cli/test/chaos/isolation.test.ts',
  'packages/cli/test/chaos/read-only.test.ts',
  'packages/cli/test/chaos/several-machines.test.ts',
  'packages/cli/test/chaos/store-away.test.ts',
  'packages/cli/test/rolling.full.test.ts',
  'packages/cli/test/scale/citus.scale.test.ts',
  'packages/cli/test/scale/patroni.scale.test.ts',
  'packages/cli/test/serve.adversary.test.ts',
  'packages/console/test/hostile-texts.adversary.test.ts',
  'packages/console/test/network.chaos.test.ts',
  'packages/http-node/test/fuzz.test.ts',
  'packages/http-node/test/many-processes.chaos.test.ts',
  'packages/reception-report/src/pdf.adversary.test.ts',
  'packages/storage-kysely/src/citus.scale.test.ts',
  'test/command.full.test.ts',
  'test/installed.full.test.ts',
]

/**
 * Tests of the office and the phone in a browser, which take half of the time of all tests. `npm test` runs only one
 * case in the office and one visit on a phone, each from end to end with a real service.
 */
const leftToConsole = [
  'packages/console/terrain/send/cut-network.chaos.test.ts',
  'packages/console/terrain/send/office-meanwhile.chaos.test.ts',
  'packages/console/test/cases.test.ts',
  'packages/console/test/drafts.test.ts',
  'packages/console/test/framing.test.ts',
  'packages/console/test/live.test.ts',
  'packages/console/test/office.test.ts',
  'packages/console/test/offline.test.ts',
  'packages/console/test/planning.test.ts',
  'packages/console/test/screens.test.ts',
  'packages/console/test/sent-once.test.ts',
  'packages/console/test/settings-kept.test.ts',
  'packages/console/test/settings.test.ts',
  'packages/console/test/sign-in.test.ts',
  'packages/console/test/signature.test.ts',
  'packages/console/test/terrain/kept.test.ts',
  'packages/console/test/terrain/lock.test.ts',
  'packages/console/test/terrain/meanwhile.test.ts',
  'packages/console/test/terrain/screens.test.ts',
  'packages/console/test/terrain/slow-line.full.test.ts',
  'packages/console/test/terrain/visit.test.ts',
  'packages/console/test/terrain/webkit.test.ts',
  'packages/console/test/week.test.ts',
]

/** Tests that try random values: a few hundred in `npm test`, thousands in the long suite. */
const withMoreRuns = [
  'core/src/delivery/retry-schedule.test.ts',
  'core/src/evidence/evidence-check.test.ts',
  'planning/src/slots/slots.test.ts',
  'planning/src/working-time/working-days.test.ts',
  'core/src/time/time.test.ts',
]

/** The suites by their names in `npm run test:<name>`; `test` is `npm test`. */
export const suites = {
  test: { files: [], without: [...leftToLongSuites, ...leftToConsole], env: {} },
  console: { files: leftToConsole, without: [], env: {} },
  chaos: { files: ['chaos', ...withMoreRuns], without: [], env: { SAV_TEST_CHAOS: '1' } },
  adversary: { files: ['adversary'], without: [], env: { SAV_TEST_CHAOS: '1' } },
  full: {
    files: [
      '.full.test',
      'examples/bundled.test.ts',
      'examples/own-storage/main.test.ts',
      'console/test/screens.test.ts',
      'console/test/signature.test.ts',
    ],
    without: [],
    env: { SAV_TEST_FULL: '1' },
  },
  /**
   * The storage contract, kills of nodes and moves of stores on Citus, and failovers by Patroni. SAV_TEST_CITUS is the
   * URL of a coordinator whose nodes are on this machine; SAV_TEST_PATRONI is the PATH of etcd, patroni and haproxy.
   */
  scale: { files: ['.scale.test'], without: [], env: {} },
  /** Schemathesis over the API's contract, with at least 3,000 requests; SAV_TEST_SEED=N makes other requests. */
  fuzz: { files: ['packages/http-node/test/fuzz.test.ts'], without: [], env: { SAV_TEST_FUZZ: '1' } },
} as const satisfies Readonly<Record<string, Suite>>

export type SuiteName = keyof typeof suites

export const suiteNames = Object.keys(suites) as readonly SuiteName[]
