const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in HTML, inside of an attribute too. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** The address of a link that calls. It holds nothing that HTML escapes. */
export const telephoneUrl = (telephone: string): string => `tel:${telephone.replace(/[^+\d]/g, '')}`
