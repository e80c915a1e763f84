import type { Actor, Write } from '@sav/core'
import { addComments, parse } from '@sav/core/feature'
import type { AnsweredRdv } from './fact.js'
import { type BeganInput, beganInput, type LateInput, lateInput, type MissedInput, missedInput } from './inputs.js'
import { changeHere, type FieldVisitTarget, notedBy, type TellingDeps, telling } from './telling.js'

const nothingMore = { hasContent: false, closes: false, vu: null, prochain: null } as const

export function beginning(
  deps: TellingDeps,
  actor: Actor,
  where: FieldVisitTarget,
  input: BeganInput,
): Write<AnsweredRdv> {
  const claim = parse(beganInput, input)
  return telling(deps, actor, where, {
    nature: 'debut',
    input,
    claim,
    prepare: async () => ({ told: nothingMore }),
    async does(tx, here) {
      const { statut } = here.outcome
      if (statut !== null && statut !== here.rdv.statut) await changeHere(tx, here, { statut }, deps)
      return {}
    },
  })
}

export function missing(
  deps: TellingDeps,
  actor: Actor,
  where: FieldVisitTarget,
  input: MissedInput,
): Write<AnsweredRdv> {
  const { compte_rendu, ...claim } = parse(missedInput, input)
  return telling(deps, actor, where, {
    nature: 'absent',
    input,
    claim,
    prepare: async () => ({ told: { ...nothingMore, hasContent: compte_rendu !== undefined } }),
    async does(tx, here) {
      const { statut } = here.outcome
      const { rdv, dossier, actor, at } = here
      const notes = compte_rendu !== undefined && dossier === null && { notes: notedBy(rdv, compte_rendu) }
      const change = { ...(statut !== null && { statut }), ...notes }
      const now = Object.keys(change).length > 0 ? await changeHere(tx, here, change, deps) : dossier
      if (now !== null && compte_rendu !== undefined)
        await addComments(tx, { actor, found: now, at }, [compte_rendu], deps)
      return {}
    },
  })
}

export function delaying(
  deps: TellingDeps,
  actor: Actor,
  where: FieldVisitTarget,
  input: LateInput,
): Write<AnsweredRdv> {
  const { minutes, ...claim } = parse(lateInput, input)
  return telling(deps, actor, where, {
    nature: 'retard',
    input,
    claim,
    prepare: async () => ({ told: nothingMore }),
    async does(tx, here) {
      if (here.outcome.statut !== null) await changeHere(tx, here, { retard_minutes: minutes }, deps)
      return {}
    },
  })
}
