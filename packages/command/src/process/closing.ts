/**
 * Calls each function of `closes` in turn, even if an earlier one failed.
 * @throws the first error
 */
export async function closeInTurn(closes: readonly (() => unknown)[]): Promise<void> {
  const failures: { readonly error: unknown }[] = []
  for (const close of closes) {
    try {
      await close()
    } catch (error) {
      failures.push({ error })
    }
  }
  const [first] = failures
  if (first !== undefined) throw first.error
}

/** Returns the result of `work`, and closes the resource afterwards, even if `work` fails. */
export async function closedAfter<Resource extends { close(): Promise<void> }, T>(
  opening: Promise<Resource>,
  work: (opened: Resource) => Promise<T>,
): Promise<T> {
  const opened = await opening
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
