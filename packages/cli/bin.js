#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 19)) {
  import('./dist/load.js').then(async ({ load, keepCompiled }) => {
    const command = await load('main.cjs').main()
    if (command !== null) keepCompiled(command)
  })
} else {
  console.error(
    `sav needs Node.js 22.19 or newer, and this is ${process.versions.node}: install it from https://nodejs.org and try again.`,
  )
  process.exitCode = 1
}
