/** Whether fingers touch the screen, and a keyboard would hide half of it. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

/** Puts the focus into the first field of a form that opens, where it is more than a line beside others; not on a telephone, whose keyboard would hide half of it. */
export function focusFirstField(within: HTMLElement | null): void {
  if (isTouched()) return
  const fields =
    'form:not(.inline-form *) :is(input, textarea, select):not([type=hidden], [type=file], [type=checkbox])'
  within?.querySelector<HTMLElement>(fields)?.focus({ preventScroll: true })
}
