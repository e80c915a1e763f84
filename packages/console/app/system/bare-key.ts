/** Whether a key was pressed without modifiers, and outside fields and open dialogs, which handle keys themselves. */
export const isBare = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select, dialog[open]'))
