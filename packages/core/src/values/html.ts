const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text escaped for HTML, also inside an attribute. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** The link that calls a number. It contains nothing that HTML must escape. */
export const telephoneUrl = (telephone: string): string => `tel:${telephone.replace(/[^+\d]/g, '')}`
