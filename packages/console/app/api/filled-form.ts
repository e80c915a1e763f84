/** The form that is being sent. */
let filled: string | null = null

/**
 * Sends a form as it is filled. A call that it makes twice is done once: if it failed halfway, and where it is pressed
 * again while it is still shown.
 * @param filling another one once something was typed since
 */
export async function asFilled(filling: string, send: () => Promise<void>): Promise<void> {
  filled = filling
  try {
    await send()
  } finally {
    if (filled === filling) filled = null
  }
}

/** The form that the call is made for; null: none. */
export const filledForm = (): string | null => filled
