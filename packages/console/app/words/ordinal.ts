/** Writes the first of a month in a French date as an ordinal: `1er décembre`. */
export const withOrdinal = (shown: string, locale: string): string =>
  locale === 'fr-FR' ? shown.replace(/(?<!\d)1(?= \p{L}{3})/u, '1er') : shown
