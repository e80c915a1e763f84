// Written by scripts/lists.mjs, from the files beside it and below.
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'
import { foundation } from './0001-foundation.js'
import { deliveryUpkeep } from './0002-delivery-upkeep.js'
import { severalMachines } from './0003-several-machines.js'
import { access } from './0004-access.js'
import { reports } from './0005-reports.js'
import { search } from './0006-search.js'
import { caseFilters } from './0007-case-filters.js'
import { historyChain } from './0008-history-chain.js'
import { limits } from './0009-limits.js'
import { rotationAndErasure } from './0010-rotation-and-erasure.js'
import { planning } from './0011-planning.js'
import { calendars } from './0012-calendars.js'
import { customers } from './0013-customers.js'
import { users } from './0014-users.js'
import { wordsInSteps } from './0015-words-in-steps.js'
import { subscriptions } from './0016-subscriptions.js'
import { deliveryQueue } from './0017-delivery-queue.js'
import { fileRemovals } from './0018-file-removals.js'
import { senders } from './0019-senders.js'
import { traces } from './0021-traces.js'
import { wordsAfterwards } from './0022-words-afterwards.js'
import { calendarOwners } from './0023-calendar-owners.js'
import { waitingLetters } from './0024-waiting-letters.js'
import { receiverHealth } from './0025-receiver-health.js'
import { auditTargets } from './0027-audit-targets.js'
import { toDealWith } from './0028-to-deal-with.js'
import { stems } from './0030-stems.js'
import { grid } from './0031-grid.js'
import { viewsAndStatistics } from './0032-views-and-statistics.js'
import { field } from './0035-field.js'
import { fieldClock } from './0036-field-clock.js'
import { companies } from './0037-companies.js'
import { moving } from './0038-moving.js'
import { disabledAccounts } from './0039-disabled-accounts.js'
import { towns } from './0040-towns.js'
import { erasedBy } from './0041-erased-by.js'
import { contactWords } from './0042-contact-words.js'
import { endpointFailures } from './0042-endpoint-failures.js'
import { limitsPerProcess } from './0042-limits-per-process.js'
import { keySuccessors } from './0043-key-successors.js'
import { sortKeys } from './0044-sort-keys.js'

/** Every migration by name, a static list that survives bundling. A shipped one is never edited, only added to. */
export const migrations = (dialect: Dialect, name: NameOf): Record<string, Migration> => ({
  '0001-foundation': foundation(dialect, name),
  '0002-delivery-upkeep': deliveryUpkeep(dialect, name),
  '0003-several-machines': severalMachines(dialect, name),
  '0004-access': access(dialect, name),
  '0005-reports': reports(dialect, name),
  '0006-search': search(dialect, name),
  '0007-case-filters': caseFilters(dialect, name),
  '0008-history-chain': historyChain(dialect, name),
  '0009-limits': limits(dialect, name),
  '0010-rotation-and-erasure': rotationAndErasure(dialect, name),
  '0011-planning': planning(dialect, name),
  '0012-calendars': calendars(dialect, name),
  '0013-customers': customers(dialect, name),
  '0014-users': users(dialect, name),
  '0015-words-in-steps': wordsInSteps(dialect, name),
  '0016-subscriptions': subscriptions(dialect, name),
  '0017-delivery-queue': deliveryQueue(dialect, name),
  '0018-file-removals': fileRemovals(dialect, name),
  '0019-senders': senders(dialect, name),
  '0021-traces': traces(dialect, name),
  '0022-words-afterwards': wordsAfterwards(dialect, name),
  '0023-calendar-owners': calendarOwners(dialect, name),
  '0024-waiting-letters': waitingLetters(dialect, name),
  '0025-receiver-health': receiverHealth(dialect, name),
  '0027-audit-targets': auditTargets(dialect, name),
  '0028-to-deal-with': toDealWith(dialect, name),
  '0030-stems': stems(dialect, name),
  '0031-grid': grid(dialect, name),
  '0032-views-and-statistics': viewsAndStatistics(dialect, name),
  '0035-field': field(dialect, name),
  '0036-field-clock': fieldClock(dialect, name),
  '0037-companies': companies(dialect, name),
  '0038-moving': moving(dialect, name),
  '0039-disabled-accounts': disabledAccounts(dialect, name),
  '0040-towns': towns(dialect, name),
  '0041-erased-by': erasedBy(dialect, name),
  '0042-contact-words': contactWords(dialect, name),
  '0042-endpoint-failures': endpointFailures(dialect, name),
  '0042-limits-per-process': limitsPerProcess(dialect, name),
  '0043-key-successors': keySuccessors(dialect, name),
  '0044-sort-keys': sortKeys(dialect, name),
})
