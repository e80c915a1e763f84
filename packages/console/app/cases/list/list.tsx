import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { CaseSummary } from '../../api/client.js'
import { useRead } from '../../api/read.js'
import { to } from '../../session/address.js'
import { may } from '../../session/session.js'
import { Answered } from '../../system/answered.js'
import { Empty, Page } from '../../system/page.js'
import { Search } from '../../system/search.js'
import { Pages, Table } from '../../system/table.js'
import { number } from '../../words/formats.js'
import { words } from '../../words/words.js'
import { NewCaseLink } from '../new-case-link.js'
import { someCases } from '../questions.js'
import { caseColumns } from './case-table.js'
import { Chosen, withBoxes } from './chosen.js'
import { addressOf, choices, filterOf, hiddenFilters, pageSize } from './filter.js'
import { ListMenus } from './list-menus.js'
import { hiddenColumns } from './views.js'

export function CaseList() {
  const { query, route } = useLocation()
  const filter = filterOf(query)
  const reading = useRead(someCases, filter)
  const t = words.value
  const isAll = hiddenFilters(filter) === 0 && filter.statut === undefined && filter.recherche === undefined
  const total = reading.value?.pagination.total
  const columns = caseColumns(filter)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const choose = (id: number) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]))
  const shown = columns.filter(({ key }) => !hiddenColumns.value.includes(key))

  return (
    <Page
      title={t.cases.title}
      beside={total !== undefined && <span class="muted number">{number(total)}</span>}
      actions={<NewCaseLink />}
    >
      <div class="toolbar">
        <Search
          hint={t.cases.searchHint}
          value={filter.recherche ?? ''}
          onSearch={(recherche) => route(addressOf(filter, { recherche }), true)}
        />
        <nav class="choice" aria-label={t.cases.statut}>
          <a href={addressOf(filter, { statut: undefined })} aria-current={filter.statut ? undefined : 'true'}>
            {t.cases.anyStatus}
          </a>
          {choices.statuts.map((statut) => (
            <a
              key={statut}
              href={addressOf(filter, { statut })}
              aria-current={filter.statut === statut ? 'true' : undefined}
            >
              {statut === 'non_clos' ? t.cases.notClosed : t.statut[statut]}
            </a>
          ))}
        </nav>
        <ListMenus filter={filter} columns={columns} />
      </div>
      <Answered reading={reading}>
        {({ data, pagination }) =>
          data.length > 0 ? (
            <>
              <Table
                name={t.cases.title}
                columns={may('sav:write') ? withBoxes(shown, chosen, choose) : shown}
                rows={data}
                keyOf={({ id }) => id}
                isMain
              />
              <ChosenOf rows={data} chosen={chosen} onDone={() => setChosen(new Set())} />
              <Pages {...pagination} limite={pageSize} linkTo={(page) => addressOf(filter, { page })} />
            </>
          ) : (
            <Empty
              title={isAll ? t.cases.emptyTitle : t.cases.nothingTitle}
              text={isAll ? t.cases.emptyText : t.cases.nothingText}
            >
              {!isAll && (
                <a class="button" href={to('/dossiers')}>
                  {t.clearFilters}
                </a>
              )}
              {isAll && <NewCaseLink />}
            </Empty>
          )
        }
      </Answered>
    </Page>
  )
}

interface ChosenOfProps {
  readonly rows: readonly CaseSummary[]
  readonly chosen: ReadonlySet<number>
  readonly onDone: () => void
}

function ChosenOf({ rows, chosen, onDone }: ChosenOfProps) {
  const cases = rows.filter(({ id }) => chosen.has(id))
  return cases.length > 0 ? <Chosen cases={cases} onDone={onDone} /> : null
}
