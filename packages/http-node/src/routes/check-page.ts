import { hash } from 'node:crypto'

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { max-width: 36rem; margin: 10vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
`

/** No script, no image, nothing of anybody else; our one style, by its hash. */
export const checkPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/**
 * What the address on a report shows to whoever holds the paper.
 * @param date when the close was recorded, an instant; null: no close has this fingerprint
 */
export function checkPage(date: string | null): string {
  const [title, text] =
    date === null
      ? [
          'Aucune correspondance',
          "Cette empreinte n'est celle d'aucun rapport enregistré ici. Comparez-la, caractère par caractère, avec celle qui est imprimée sur le document.",
        ]
      : [
          'Empreinte reconnue',
          `Un rapport portant cette empreinte a été enregistré le <time datetime="${date}">${day.format(new Date(date))}</time> (UTC).`,
        ]
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`
}
