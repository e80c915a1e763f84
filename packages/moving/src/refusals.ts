import { refusalsOf } from '@sav/core/feature'

/** The reasons for refused or unchanged rows of an import. */
export const sentences = {
  import_client_required: 'name the client by client_id, client_id_externe or client_email',
  import_reference_unknown: '{value} exists neither in the import nor here',
  import_key_twice: 'is already in an earlier row of the file, with other values',
  import_erased: 'concerns a person who was erased, and is not imported again',
  import_own: 'comes from an export of this account, which already has it',
  import_kept: 'stays as it is here: no import changes it',
  import_kept_closed: 'stays as it is here: the case is closed',
  import_kept_clos: 'stays closed: the case was closed here',
  import_kept_ouvert: 'stays open: the case was closed before, and no import closes it again',
  import_telephone_unusable:
    'is not a number that can be dialled: it is kept, but nothing is sent to it (found {found})',
  import_email_several: 'has several addresses: {kept} is kept, and the others are left out (found {found})',
  import_kept_visit: 'stays as it is here: the visit is over',
  import_date_bounds: 'must be in 1990 or later; a date of a case or a comment may be tomorrow at the latest',
  import_closed_before: 'must not be before date_creation',
  import_visit_too_long: 'makes the visit longer than {max} minutes: split it',
  import_email_ambiguous: 'several clients have {value} ({names}): name one by client_id or client_id_externe',
  import_visit_of_closed: 'case {reference} is closed',
  import_time_taken: '{poseur} is not free from {debut} to {fin}',
  not_written_as_date: 'must be a date such as 03/04/2024 (day first), 03/04/2024 14:30 or 2024-04-03',
} as const

export const { fieldProblem, issue } = refusalsOf(sentences)
