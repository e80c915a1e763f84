import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** The times of a run's files. `SAV_TEST_TIMES` names the file to which they are written. */
export interface RunTimes {
  readonly files: readonly FileTime[]
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface FileTime {
  /** The path, relative to the root of the repository. */
  readonly file: string
  /** How long the file took, including hooks, but not the wait for a free worker. */
  readonly seconds: number
}

/** Writes the time of each file, for `scripts/run-suites.ts`. */
export default class FileTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const target = process.env['SAV_TEST_TIMES']
    if (target === undefined) return
    const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => tests.filter((each) => each === state).length
    const times: RunTimes = {
      files: modules.map((module) => {
        const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic()
        const ms = collectDuration + duration + prepareDuration + setupDuration
        return { file: relative(process.cwd(), module.moduleId), seconds: ms / 1000 }
      }),
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
    }
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, JSON.stringify(times))
  }
}
