// node --import: lets a child process run the sources of the workspace, so that no test depends on a build.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const [, name, file = 'index'] = /^@sav\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? []
    if (name !== undefined) return next(packages(`${name}/src/${file}.ts`), context)
    if (specifier === '#hmac') return next(packages('webhook-verify/src/hmac.node.ts'), context)
    if (!/^\..*\.js$/.test(specifier)) return next(specifier, context)
    // bin.js imports what is built.
    const source = new URL(specifier.replace('./dist/', './src/').replace(/\.js$/, '.ts'), context.parentURL)
    return next(existsSync(source) ? source.href : specifier, context)
  },
})

function packages(path) {
  return new URL(`../../${path}`, import.meta.url).href
}
