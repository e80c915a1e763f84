import { hash } from 'node:crypto'
import { escapedHtml } from '@sav/core/adapter'

const commonStyle = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { max-width: 36rem; margin: 10vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
`

/**
 * Pages for people without a key. They have no scripts and nothing external: only inline pictures, and our own style,
 * which the policy allows by its hash.
 */
export interface PublicPages {
  /** Value of the Content-Security-Policy header. */
  readonly policy: string
  /** @param title text @param main HTML @param language that of title and main; French by default */
  page(title: string, main: string, language?: 'fr' | 'en'): string
}

interface PageNeeds {
  readonly style?: string
  readonly forms: boolean
  /** Inline pictures of the page. */
  readonly pictures?: boolean
}

/** Creates pages for people without an account, each with the strictest policy that works. */
export function publicPages({ style = '', forms, pictures = false }: PageNeeds): PublicPages {
  const css = `${commonStyle}${style}`
  return {
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${hash('sha256', css, 'base64')}'`,
      ...(pictures ? ['img-src data:'] : []),
      "base-uri 'none'",
      `form-action ${forms ? "'self'" : "'none'"}`,
      "frame-ancestors 'none'",
    ].join('; '),
    page: (title, main, language = 'fr') => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapedHtml(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`,
  }
}
