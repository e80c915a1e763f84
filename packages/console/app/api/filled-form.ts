/** The form that is being sent. */
let filled: string | null = null

/**
 * Sends a form with its current content. Calls that it makes twice are done once: after a failure halfway, and when it
 * is pressed again while still shown.
 * @param filling changes once something has been typed since
 */
export async function asFilled(filling: string, send: () => Promise<void>): Promise<void> {
  filled = filling
  try {
    await send()
  } finally {
    if (filled === filling) filled = null
  }
}

/** The form that is being sent; null: none. */
export const filledForm = (): string | null => filled
