import type { ComponentChildren } from 'preact'
import type { CaseSummary } from '../api/client.js'
import { useRead } from '../api/read.js'
import { isPressing, Priority } from '../cases/marks.js'
import { NewCaseLink } from '../cases/new-case-link.js'
import { someCases } from '../cases/questions.js'
import { to, withQuery } from '../session/address.js'
import { has, may, session } from '../session/session.js'
import { PasskeyOffer } from '../sign-in/passkey-offer.js'
import { Answered } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { Card, Page } from '../system/page.js'
import { number, personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { Attention } from './attention.js'
import { FirstSteps } from './first-steps.js'
import { ToDo } from './to-do.js'
import { Today } from './today.js'

const shownAtMost = 6

/** What needs attention today. */
export function Home() {
  const t = words.value
  const name = session.value?.utilisateur.nom.split(' ')[0] ?? ''
  return (
    <Page title={t.home.hello(name)} actions={<NewCaseLink />}>
      <div class="stack">
        <div class="columns columns-wide">
          {may('planning:read') && <Today />}
          {has('planning') && <ToDo />}
          <Urgent />
          <Unassigned />
        </div>
        <FirstSteps />
        <PasskeyOffer />
        <Attention />
      </div>
    </Page>
  )
}

function Urgent() {
  const open = useRead(someCases, { priorite: 'urgente', statut: 'ouvert', limite: 50 })
  const begun = useRead(someCases, { priorite: 'urgente', statut: 'en_cours', limite: 50 })
  const t = words.value.home
  const total = (open.value?.pagination.total ?? 0) + (begun.value?.pagination.total ?? 0)
  return (
    <Card title={t.urgent} actions={<More total={total} href={withQuery('/dossiers', { priorite: 'urgente' })} />}>
      <Answered reading={open}>
        {({ data }) => <CaseLines cases={[...data, ...(begun.value?.data ?? [])]} empty={t.noUrgent} />}
      </Answered>
    </Card>
  )
}

function Unassigned() {
  const filter = { statut: 'ouvert', poseur_id: 'aucun' } as const
  const reading = useRead(someCases, { ...filter, limite: shownAtMost })
  const t = words.value.home
  return (
    <Card
      title={t.unassigned}
      actions={<More total={reading.value?.pagination.total ?? 0} href={withQuery('/dossiers', filter)} />}
    >
      <Answered reading={reading}>
        {({ data }) => <CaseLines cases={data} empty={t.noUnassigned} showsPriority />}
      </Answered>
    </Card>
  )
}

function More({ total, href }: { readonly total: number; readonly href: string }) {
  const t = words.value.home
  if (total === 0) return null
  return (
    <a class="small" href={href}>
      {t.allSee(number(total))}
    </a>
  )
}

interface CaseLinesProps {
  readonly cases: readonly CaseSummary[]
  readonly empty: ComponentChildren
  readonly showsPriority?: boolean
}

function CaseLines({ cases, empty, showsPriority = false }: CaseLinesProps) {
  if (cases.length === 0) return <p class="muted">{empty}</p>
  return (
    <ul class="case-rows">
      {cases.slice(0, shownAtMost).map(({ id, reference, client, description, date_creation, priorite }) => (
        <li key={id} title={words.value.stored(description)}>
          <a class="reference" href={to(`/dossiers/${id}`)}>
            {reference}
          </a>
          <span class="cut">{personName(client)}</span>
          <span class="cut muted">{words.value.stored(description)}</span>
          <span>{showsPriority && isPressing(priorite) && <Priority of={priorite} />}</span>
          <span class="muted small">
            <Time at={date_creation} isShort />
          </span>
        </li>
      ))}
    </ul>
  )
}
