import type { CaseFilter, CaseSummary } from '../../api/client.js'
import type { ReadState } from '../../api/read.js'
import { Telephone } from '../../directory/way-there.js'
import { to } from '../../session/address.js'
import { may } from '../../session/session.js'
import { Answered } from '../../system/answered.js'
import { Time } from '../../system/bits.js'
import { type Column, Table } from '../../system/table.js'
import { personName } from '../../words/formats.js'
import { words } from '../../words/words.js'
import { Priority, Status } from '../marks.js'
import { addressOf, type Order, usualOrder } from './filter.js'

/** @param filter the filter of the list; the column heads link to the list in another order */
export function caseColumns(filter?: CaseFilter): readonly Column<CaseSummary>[] {
  const t = words.value.cases
  const sorting = (...orders: readonly [Order, Order]) => (filter ? { sorting: sortingBy(filter, orders) } : {})
  return [
    {
      key: 'reference',
      name: t.reference,
      width: '10.75em',
      cell: ({ id, reference }) => (
        <a class="reference" href={to(`/dossiers/${id}`)}>
          {reference}
        </a>
      ),
    },
    {
      key: 'client',
      name: t.client,
      width: 'minmax(6em, 1.25fr)',
      ...sorting('client', '-client'),
      cell: ({ client }) => personName(client),
    },
    {
      key: 'problem',
      name: t.problem,
      width: 'minmax(8em, 1.9fr)',
      takesRest: true,
      cell: ({ description }) => words.value.stored(description),
    },
    {
      key: 'ville',
      name: t.ville,
      width: 'minmax(4.5em, 0.9fr)',
      ...sorting('ville', '-ville'),
      cell: ({ ville }) => ville,
    },
    ...(may('directory:read') ? [telephoneColumn()] : []),
    { key: 'statut', name: t.statut, width: '8em', cell: ({ statut }) => <Status of={statut} /> },
    {
      key: 'priorite',
      name: t.priorite,
      width: '7em',
      ...sorting('-priorite', 'priorite'),
      cell: ({ priorite }) => <Priority of={priorite} />,
    },
    {
      key: 'poseur',
      name: t.poseur,
      width: 'minmax(5.75em, 1.1fr)',
      cell: ({ poseur_assigne }) => poseur_assigne?.nom ?? <span class="muted">{t.unassigned}</span>,
    },
    {
      key: 'age',
      name: t.age,
      width: '5.25em',
      isNumber: true,
      ...sorting('-date_creation', 'date_creation'),
      cell: ({ date_creation }) => (
        <span class="muted">
          <Time at={date_creation} isShort />
        </span>
      ),
    },
  ]
}

const telephoneColumn = (): Column<CaseSummary> => ({
  key: 'telephone',
  name: words.value.cases.telephone,
  width: '9.75em',
  cell: ({ telephone }) => telephone && <Telephone number={telephone} />,
})

/**
 * The sorting of a column. Its head links to the first order, or to the other one if the list already has the first.
 */
function sortingBy(filter: CaseFilter, [first, other]: readonly [Order, Order]) {
  const now = filter.tri ?? usualOrder
  return {
    href: addressOf(filter, { tri: now === first ? other : first }),
    now:
      now === first || now === other ? (now.startsWith('-') ? ('descending' as const) : ('ascending' as const)) : null,
  }
}

interface CaseTableProps {
  readonly name: string
  readonly reading: ReadState<{ readonly data: readonly CaseSummary[] }>
  /** Shown if there are no cases. */
  readonly empty: string
  /** Columns whose value would be the same in every row. */
  readonly without: readonly string[]
}

/** The cases of a client or an installer. */
export function CaseTable({ name, reading, empty, without }: CaseTableProps) {
  return (
    <div class="stack">
      <h2>{name}</h2>
      <Answered reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted">{empty}</p>
          ) : (
            <Table
              name={name}
              columns={caseColumns().filter(({ key }) => !without.includes(key))}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Answered>
    </div>
  )
}
