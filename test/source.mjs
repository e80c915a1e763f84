import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Lets a child process of a test run the TypeScript sources, so that tests do not depend on a build: `node --import
// …/test/source.mjs child.ts`.

const packages = new URL('../packages/', import.meta.url)

// Without a cache, stripping and compiling the sources takes a third of a command's start time.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

registerHooks({
  resolve(specifier, context, next) {
    // A built file imports other built files, not the sources.
    if (/\/packages\/[\w-]+\/dist\//.test(context.parentURL ?? '')) return next(specifier, context)
    if (specifier === '#hmac') return next(new URL('webhook-verify/src/hmac.node.ts', packages).href, context)
    const [, name, entry = 'index'] = /^@sav\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? []
    if (name !== undefined) return next(sourceOf(new URL(`${name}/src/${entry}`, packages)), context)
    if (!/^\..*\.js$/.test(specifier)) return next(specifier, context)
    // The bin file imports the bundle; here it gets the source instead.
    if (specifier === './dist/main.js') return next(new URL('cli/src/main.ts', packages).href, context)
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
    return next(existsSync(source) ? source.href : specifier, context)
  },
})

/** The source file of an entry; that of `@sav/core/testing` is the index of a folder. */
function sourceOf(entry) {
  return existsSync(new URL(`${entry.href}.ts`)) ? `${entry.href}.ts` : `${entry.href}/index.ts`
}
