/** A worker keeps modules of test support for its next file, so each closes what it has opened for this one. */
const steps: (() => Promise<void> | void)[] = []

/** Call it when a module is loaded: `step` runs after each file of tests. */
export function atEndOfFile(step: () => Promise<void> | void): void {
  steps.push(step)
}

export async function endFile(): Promise<void> {
  for (const step of steps) await step()
}
