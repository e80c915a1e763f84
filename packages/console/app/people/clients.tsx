import { useLocation } from 'preact-iso'
import type { Client } from '../api/client.js'
import { useRead } from '../api/read.js'
import { lieuLine } from '../directory/lieu-fields.js'
import { peoplePerPage, someClients } from '../directory/questions.js'
import { spaced } from '../directory/way-there.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Icon } from '../system/icons.js'
import { Empty, Page } from '../system/page.js'
import { Search } from '../system/search.js'
import { type Column, Pages, Table } from '../system/table.js'
import { number, personName } from '../words/formats.js'
import { words } from '../words/words.js'

export function Clients() {
  const { query, route } = useLocation()
  const recherche = query['recherche'] || undefined
  const reading = useRead(someClients, { recherche, page: Number(query['page']) || 1 })
  const t = words.value.client
  const total = reading.value?.pagination.total
  return (
    <Page
      title={t.title}
      beside={total !== undefined && <span class="muted number">{number(total)}</span>}
      actions={
        may('directory:write') && (
          <a class="button primary" href={to('/clients/nouveau')}>
            <Icon name="plus" />
            {t.new}
          </a>
        )
      }
    >
      <div class="toolbar">
        <Search
          value={recherche ?? ''}
          hint={t.searchHint}
          onSearch={(next) => route(withQuery('/clients', { recherche: next }), true)}
        />
      </div>
      <Answered reading={reading}>
        {({ data, pagination }) =>
          data.length > 0 ? (
            <>
              <Table name={t.title} columns={columns()} rows={data} keyOf={({ id }) => id} isMain />
              <Pages
                {...pagination}
                limite={peoplePerPage}
                linkTo={(page) => withQuery('/clients', { recherche, page })}
              />
            </>
          ) : (
            <Empty title={recherche ? t.nothing : t.emptyTitle} {...(!recherche && { text: t.emptyText })} />
          )
        }
      </Answered>
    </Page>
  )
}

function columns(): readonly Column<Client>[] {
  const t = words.value.client
  return [
    {
      key: 'nom',
      name: t.nom,
      width: 'minmax(9em, 1.2fr)',
      cell: (client) => <a href={to(`/clients/${client.id}`)}>{personName(client)}</a>,
    },
    { key: 'email', name: t.email, width: 'minmax(9em, 1.2fr)', cell: ({ email }) => email },
    { key: 'telephone', name: t.telephone, width: '10.5em', cell: ({ telephone }) => telephone && spaced(telephone) },
    {
      key: 'adresse',
      name: t.adresse,
      width: 'minmax(10em, 2fr)',
      takesRest: true,
      cell: ({ lieu, adresse }) => lieuLine(lieu) || adresse,
    },
  ]
}
