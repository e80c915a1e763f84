/** The content of the form that is being sent. */
let filled: string | null = null

/**
 * Sends a form with its current content. The service does each of its calls only once, even if the form is sent again
 * after a failure halfway, or because the user presses its button again while the form is still shown.
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

/** Identifies the content of the form that is being sent (`filling`); null: no form is being sent. */
export const filledForm = (): string | null => filled
