import { type CaseFilter, sav } from '../../api/client.js'
import { may } from '../../session/session.js'
import { saidOf } from '../../system/answered.js'
import { download } from '../../system/download.js'
import { Menu } from '../../system/menu.js'
import { sayFailed } from '../../system/notices.js'
import { words } from '../../words/words.js'

const formats = ['xlsx', 'csv'] as const

/** All results of the filter, in its order, as a spreadsheet file. */
export function ExportMenu({ filter: { page: _, limite: __, ...filter } }: { readonly filter: CaseFilter }) {
  const t = words.value.cases
  if (!may('directory:read')) return null
  const save = async (format: (typeof formats)[number]) => {
    try {
      const { data } = await sav.get('/api/v1/sav/export', { query: { ...filter, format } })
      download(`${t.title.toLowerCase()}.${format}`, new Blob([new Uint8Array(data)]))
    } catch (error) {
      sayFailed(saidOf(error))
    }
  }
  return (
    <Menu icon="file" name={t.export}>
      {formats.map((format) => (
        <button key={format} type="button" class="button small" onClick={() => save(format)}>
          {t.formats[format]}
        </button>
      ))}
    </Menu>
  )
}
