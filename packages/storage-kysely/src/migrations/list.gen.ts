// Written by scripts/lists.mjs, from the files beside it and below.
import type { Definitions } from '../statements/dialect.js'
import { accounts } from './0001-accounts.js'
import { directory } from './0002-directory.js'
import { files } from './0003-files.js'
import { cases } from './0004-cases.js'
import { webhooks } from './0005-webhooks.js'
import { reports } from './0006-reports.js'
import { views } from './0008-views.js'
import { insight } from './0011-insight.js'

/** Every migration by name. The list is static, so that it can be bundled. Released migrations are never edited. */
export const migrations: Readonly<Record<string, Definitions>> = {
  '0001-accounts': accounts,
  '0002-directory': directory,
  '0003-files': files,
  '0004-cases': cases,
  '0005-webhooks': webhooks,
  '0006-reports': reports,
  '0008-views': views,
  '0011-insight': insight,
}
