import { to } from '../session/address.js'
import { may } from '../session/session.js'
import { Icon } from '../system/icons.js'
import { words } from '../words/words.js'

/** The link to a new case, for people who may begin one. */
export function NewCaseLink() {
  if (!may('sav:write')) return null
  return (
    <a class="button primary" href={to('/dossiers/nouveau')}>
      <Icon name="plus" />
      {words.value.cases.new}
    </a>
  )
}
