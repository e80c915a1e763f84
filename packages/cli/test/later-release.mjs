// Makes `sav` that of a later release, which has one migration more: `--import` it behind source.mjs.
import { registerHooks } from 'node:module'

const added = {
  plain: `'9001-notes': (_, name) => [sql\`alter table \${name('facts')} add column note text\`]`,
  breaks: `'9001-breaks-notes': (_, name) => [sql\`alter table \${name('facts')} add column note text\`]`,
  fails: `'9001-notes': (_, name) => [
    sql\`alter table \${name('facts')} add column note text\`,
    sql\`insert into \${name('facts')} (name) select note from \${name('nowhere')}\`,
  ]`,
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/storage-kysely/src/migrations/list.gen.ts')) return loaded
    const more = `import { sql } from 'kysely'; Object.assign(migrations, { ${added[process.env.SAV_TEST_LATER]} })`
    return { ...loaded, source: `${loaded.source}\n${more}\n` }
  },
})
