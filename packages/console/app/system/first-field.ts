/** Whether the screen is used by touch, so that a keyboard would hide half of it. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

/**
 * Focuses the first field of a form that has just opened, unless the form is only one line (`.inline-form`). Does
 * nothing on a phone, whose keyboard would hide half of the form.
 */
export function focusFirstField(within: HTMLElement | null): void {
  if (isTouched()) return
  const fields =
    'form:not(.inline-form *) :is(input, textarea, select):not([type=hidden], [type=file], [type=checkbox])'
  within?.querySelector<HTMLElement>(fields)?.focus({ preventScroll: true })
}
