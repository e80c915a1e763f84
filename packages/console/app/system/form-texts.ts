import type { FormTexts } from './typed.js'

/** The texts in the fields of a form, by their names. */
export const typedIn = (form: HTMLFormElement): FormTexts =>
  [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))

/** The attribute for what was chosen, of a field whose choices are still asked for. */
export const awaited = 'awaited'

export function restore(form: HTMLFormElement, typed: FormTexts): void {
  const values = new Map<string, string[]>()
  for (const [name, value] of typed) values.set(name, [...(values.get(name) ?? []), value])
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
      element.checked = values.get(element.name)?.includes(element.value) ?? false
      element.dispatchEvent(new Event('change'))
    } else if (
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement
    ) {
      const [value] = values.get(element.name) ?? []
      if (value === undefined || element.type === 'file') continue
      element.value = value
      if (element.value !== value && element instanceof HTMLSelectElement) element.dataset[awaited] = value
    }
  }
}

/** As it was drawn at first; the field with the focus keeps it. */
export function empty(form: HTMLFormElement): void {
  form.reset()
  // Fields that say how much room is left look again; to the form it is nothing that was typed.
  for (const element of form.elements) element.dispatchEvent(new Event('input'))
}
