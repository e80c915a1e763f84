const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text escaped for HTML, also inside an attribute. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** The address of a link that calls. It holds nothing that HTML escapes. */
export const telephoneUrl = (telephone: string): string => `tel:${telephone.replace(/[^+\d]/g, '')}`
