/** The form that is being sent. */
let filled: string | null = null

/**
 * Sends a form with its current content. A call that the form repeats is done only once: when the form is sent again
 * after a failure halfway, and when it is pressed again while it is still shown.
 * @param filling identifies the content; it changes once the user has typed something after sending
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
