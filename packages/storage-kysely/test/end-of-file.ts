/** What the helpers of the tests have open for one file of them; a worker keeps the helpers themselves for the next file. */
const steps: (() => Promise<void> | void)[] = []

/** To be called as a module is read: its `step` is taken at the end of every file of tests, and leaves nothing of that file. */
export function atEndOfFile(step: () => Promise<void> | void): void {
  steps.push(step)
}

export async function endFile(): Promise<void> {
  for (const step of steps) await step()
}
