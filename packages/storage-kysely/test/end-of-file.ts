/**
 * A worker keeps the modules of test support for its next file of tests. So each module closes what it has opened for
 * the current file.
 */
const steps: (() => Promise<void> | void)[] = []

/** Call it when a module is loaded: `step` runs after each file of tests. */
export function atEndOfFile(step: () => Promise<void> | void): void {
  steps.push(step)
}

export async function endFile(): Promise<void> {
  for (const step of steps) await step()
}
