import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { NotFoundError } from '@sav/core'

const scriptName = '@sav/api-reference/reference.js'

/** The page's Content-Security-Policy: only our one script, our contract and its own styles; no third parties. */
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

/** Switches off the vendor's fonts, proxy, assistant and telemetry. */
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

let reading: Promise<Script | null> | undefined

/** Scalar's reference in one file, read once; null if its package is not installed. */
function installedScript(): Promise<Script | null> {
  reading ??= readScript()
  return reading
}

async function readScript(): Promise<Script | null> {
  const file = installedFile()
  if (file === null) return null
  const content = await readFile(file)
  return { content, version: hash('sha256', content).slice(0, 16) }
}

function installedFile(): string | null {
  try {
    return createRequire(import.meta.url).resolve(scriptName)
  } catch {
    return null
  }
}

/** @throws {NotFoundError} if `@sav/api-reference` is not installed. */
export async function docsScript(): Promise<Script> {
  const script = await installedScript()
  if (script === null) throw new NotFoundError('file', scriptName)
  return script
}

const attribute = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/**
 * The page with the contract. The script's address changes with its content, so caches may keep the script forever.
 * All addresses are relative, so they work below any `basePath`. If the script is not installed, the page says how to
 * install it.
 */
export async function docsPage(): Promise<string> {
  const script = await installedScript()
  const body =
    script === null
      ? '<p>This page needs its script: <code>npm install @sav/api-reference</code>. The contract itself: <a href="openapi.json">openapi.json</a></p>'
      : `<script id="api-reference" data-url="openapi.json" data-configuration="${attribute(configuration)}"></script>
<script src="docs/reference.js?v=${script.version}"></script>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SAV API</title>
<link rel="icon" href="data:,">
</head>
<body>
${body}
</body>
</html>
`
}
