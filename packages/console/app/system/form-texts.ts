import type { FormTexts } from './typed.js'

/** The texts in the fields of a form, by name. */
export const typedIn = (form: HTMLFormElement): FormTexts =>
  [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))

/** The attribute for a chosen value, while a field's options are still loading. */
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

/** Resets a form to its initial values, except the field with the focus. */
export function empty(form: HTMLFormElement): void {
  form.reset()
  // Fields that show the remaining length update; the form does not treat this as typing.
  for (const element of form.elements) element.dispatchEvent(new Event('input'))
}
