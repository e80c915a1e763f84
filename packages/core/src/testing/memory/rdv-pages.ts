import type { RdvPage, RdvPageWrites } from '../../planning/rdv-page-store.js'
import type { Tables } from './tables.js'

export function memoryRdvPages(tables: Tables): RdvPageWrites {
  const pages = tables.own<string, RdvPage>('rdv_pages')
  return {
    find: async (hash) => pages.get(hash) ?? null,
    async add(page) {
      if (pages.get(page.hash) === undefined) pages.put(page.hash, page)
    },
    async remove(account_id, rdv_id) {
      for (const page of pages.where((each) => each.account_id === account_id && each.rdv_id === rdv_id))
        pages.remove(page.hash)
    },
  }
}
