import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Lets a child process of a test run the TypeScript sources: `node --import …/source.mjs child.ts`.
registerHooks({
  resolve(specifier, context, next) {
    const [, name, file = 'index'] = /^@sav\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? []
    if (name !== undefined) {
      const place = new URL(`../../${name}/src/${file}`, import.meta.url).href
      return next(existsSync(new URL(`${place}.ts`)) ? `${place}.ts` : `${place}/index.ts`, context)
    }
    if (!/^\..*\.js$/.test(specifier)) return next(specifier, context)
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
    return next(existsSync(source) ? source.href : specifier, context)
  },
})
