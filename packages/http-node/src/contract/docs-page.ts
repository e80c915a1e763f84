import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Put there by the build (tsup.config.ts). Found by the package's own name: what is built lies in other folders than the source. */
const scriptFile = join(
  dirname(createRequire(import.meta.url).resolve('@sav/http-node/package.json')),
  'dist/reference.js',
)

/** What the page may do: run our one script, read our contract, write its own styles; nothing goes to strangers. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Without the fonts, the proxy, the assistant and the telemetry of its makers. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

interface Script {
  readonly content: Uint8Array
  readonly version: string
}

let reading: Promise<Script> | undefined

/** Scalar's reference in one file, read once. */
export function docsScript(): Promise<Script> {
  reading ??= readFile(scriptFile).then((content) => ({ content, version: hash('sha256', content).slice(0, 16) }))
  return reading
}

const attribute = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** The address of the script changes with its content, so that caches may keep it for ever. */
export async function docsPage(): Promise<string> {
  const { version } = await docsScript()
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SAV API</title>
<link rel="icon" href="data:,">
</head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration="${attribute(configuration)}"></script>
<script src="/docs/reference.js?v=${version}"></script>
</body>
</html>
`
}
