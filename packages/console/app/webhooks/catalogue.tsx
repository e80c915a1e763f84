import { useEffect } from 'preact/hooks'
import { apiBase } from '../api/base.js'
import { question, useRead } from '../api/read.js'
import { Answered } from '../system/answered.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { allKinds } from './kinds.js'

/** Examples by kind, as the contract of the running service shows them. */
const examples = question(async (_: 'all', signal) => {
  const response = await fetch(`${apiBase}/openapi.json`, { signal })
  const contract = await response.json()
  return Object.fromEntries(allKinds().map((kind) => [kind, exampleIn(contract, kind)]))
})

function exampleIn(contract: unknown, kind: string): string {
  const path = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json', 'example']
  const found = path.reduce((at: unknown, name) => Object(at)[name], contract)
  return JSON.stringify(found, null, 2) ?? ''
}

export function Catalogue() {
  const reading = useRead(examples, 'all')
  const t = words.value
  // The element that the address names has only now been rendered.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [reading.value !== undefined])
  return (
    <Page
      title={t.catalogue.title}
      lead={t.catalogue.lead}
      actions={
        <a class="button" href={`${apiBase}/docs`} target="_blank" rel="noreferrer">
          {t.catalogue.reference}
        </a>
      }
    >
      <Answered reading={reading}>
        {(found) => (
          <div class="stack">
            {allKinds().map((kind) => (
              <Card key={kind} title={<code id={kind}>{kind}</code>}>
                <p>{t.webhooks.kinds[kind]}</p>
                <details open={location.hash === `#${kind}`}>
                  <summary>{t.catalogue.example}</summary>
                  {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
                  <pre tabIndex={0}>{found[kind]}</pre>
                </details>
              </Card>
            ))}
          </div>
        )}
      </Answered>
    </Page>
  )
}
