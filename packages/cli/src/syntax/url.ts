/** @param protocols as `https:` */
export function isUrl(text: string, protocols: readonly string[]): boolean {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) && url.hostname !== ''
}

export const isHttpUrl = (text: string): boolean => isUrl(text, ['http:', 'https:'])
