// Written by scripts/lists.mjs, from the files beside it and below.
import { beganInput, missedInput, lateInput, interventionInput, takeBackInput, bookNextInput } from '../../packages/field/src/inputs.js'
import { ownSlotsInput, fieldDayInput, fieldFileInput } from '../../packages/field/src/use-cases.js'
import { searchInput } from '../../packages/insight/src/search/search.js'
import { statisticsInput } from '../../packages/insight/src/statistics/statistics.js'
import { deviceInput } from '../../packages/people/src/sessions/session.js'
import { inviteInput } from '../../packages/people/src/users/invitations.js'
import { addUserInput, updateUserInput } from '../../packages/people/src/users/user.js'
import { bookRdvInput, changeRdvInput, listRdvInput, listCaseRdvInput } from '../../packages/planning/src/appointments/inputs.js'
import { renewCalendarInput } from '../../packages/planning/src/calendars/calendars.js'
import { rdvAnswerInput } from '../../packages/planning/src/customers/rdv-pages.js'
import { roundsInput, optimiseInput, replaceInput, undoInput } from '../../packages/planning/src/rounds/round-input.js'
import { slotsInput } from '../../packages/planning/src/slots/slot-input.js'
import { horairesInput, absencesBodyInput, absencesInput, competencesBodyInput, competencesInput } from '../../packages/planning/src/working-time/hours.js'

/** The inputs of every feature, as schemas. */
export const featureInputs = {
  field: {
    began: beganInput,
    missed: missedInput,
    late: lateInput,
    intervention: interventionInput,
    takeBack: takeBackInput,
    bookNext: bookNextInput,
    ownSlots: ownSlotsInput,
    fieldDay: fieldDayInput,
    fieldFile: fieldFileInput,
  },
  insight: {
    search: searchInput,
    statistics: statisticsInput,
  },
  people: {
    device: deviceInput,
    invite: inviteInput,
    addUser: addUserInput,
    updateUser: updateUserInput,
  },
  planning: {
    bookRdv: bookRdvInput,
    changeRdv: changeRdvInput,
    listRdv: listRdvInput,
    listCaseRdv: listCaseRdvInput,
    renewCalendar: renewCalendarInput,
    rdvAnswer: rdvAnswerInput,
    rounds: roundsInput,
    optimise: optimiseInput,
    replace: replaceInput,
    undo: undoInput,
    slots: slotsInput,
    horaires: horairesInput,
    absencesBody: absencesBodyInput,
    absences: absencesInput,
    competencesBody: competencesBodyInput,
    competences: competencesInput,
  },
}
