/** Keys in a field belong to the field, and keys in an open dialog to the dialog. */
export const isBare = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select, dialog[open]'))
