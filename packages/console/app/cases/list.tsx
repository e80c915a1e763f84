import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { CaseSummary } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to } from '../shell/address.js'
import { may } from '../shell/session.js'
import { Answered } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { Icon } from '../system/icons.js'
import { Empty, Page } from '../system/page.js'
import { isBare, Search } from '../system/search.js'
import { type Column, Pages, Table } from '../system/table.js'
import { number } from '../words/formats.js'
import { words } from '../words/words.js'
import { addressOf, choices, filterOf, hiddenFilters, pageSize } from './filter.js'
import { ListMenus } from './list-menus.js'
import { Priority, personName, Status } from './marks.js'
import { someCases } from './questions.js'
import { hiddenColumns } from './views.js'

export function CaseList() {
  const { query, route } = useLocation()
  const filter = filterOf(query)
  const reading = useRead(someCases, filter)
  const t = words.value
  const isAll = hiddenFilters(filter) === 0 && filter.statut === undefined && filter.recherche === undefined
  const total = reading.value?.pagination.total
  const columns = caseColumns()

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'n' && isBare(event) && may('sav:write')) route(to('/dossiers/nouveau'))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [route])

  return (
    <Page
      title={t.cases.title}
      beside={total !== undefined && <span class="muted number">{number(total)}</span>}
      actions={
        may('sav:write') && (
          <a class="button primary" href={to('/dossiers/nouveau')}>
            <Icon name="plus" />
            {t.cases.new}
          </a>
        )
      }
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
              {t.statut[statut]}
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
                columns={columns.filter(({ key }) => !hiddenColumns.value.includes(key))}
                rows={data}
                keyOf={({ id }) => id}
              />
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
              {isAll && may('sav:write') && (
                <a class="button primary" href={to('/dossiers/nouveau')}>
                  {t.cases.new}
                </a>
              )}
            </Empty>
          )
        }
      </Answered>
    </Page>
  )
}

export function caseColumns(): readonly Column<CaseSummary>[] {
  const t = words.value.cases
  return [
    {
      key: 'reference',
      name: t.reference,
      cell: ({ id, reference }) => (
        <a class="reference" href={to(`/dossiers/${id}`)}>
          {reference}
        </a>
      ),
    },
    { key: 'client', name: t.client, cell: ({ client }) => personName(client) },
    {
      key: 'problem',
      name: t.problem,
      takesRest: true,
      cell: ({ description }) => <span class="clamp">{description}</span>,
    },
    { key: 'statut', name: t.statut, cell: ({ statut }) => <Status of={statut} /> },
    { key: 'priorite', name: t.priorite, cell: ({ priorite }) => <Priority of={priorite} /> },
    {
      key: 'poseur',
      name: t.poseur,
      cell: ({ poseur_assigne }) => poseur_assigne?.nom ?? <span class="muted">{t.unassigned}</span>,
    },
    {
      key: 'created',
      name: t.created,
      cell: ({ date_creation }) => (
        <span class="nowrap muted">
          <Time at={date_creation} />
        </span>
      ),
    },
  ]
}
