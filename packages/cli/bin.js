#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 19)) {
  const { enableCompileCache } = await import('node:module')
  // Beside the code: only a user who may change the code may change its compiled form.
  enableCompileCache(`${import.meta.dirname}/dist/compiled`)
  const { main } = await import('./dist/main.js')
  await main()
} else {
  console.error(
    `sav needs Node.js 22.19 or newer, and this is ${process.versions.node}: install it from https://nodejs.org and try again.`,
  )
  process.exitCode = 1
}
