import { sentences as ofTheCore, refusalsOf } from '@sav/core/feature'

/** The refusals of this feature, by codes that never change. */
export const sentences = {
  content_hashes_otherwise: 'the content has the SHA-256 {found}: send it again from its first byte',
  not_a_sha256: 'must be a SHA-256 in lowercase hex',
  only_of_a_case: 'rdv {id} belongs to no case',
  content_range_wrong:
    'Content-Range does not fit the body: {found}. Name the bytes that you send, such as bytes 0-65535/180224.',
  content_encoded: 'Send the file as it is, without a Content-Encoding.',
  uploads_waiting: 'More than {max} bytes of files wait for the reports that name them: send those reports first.',
  file_missing: 'These files are missing: {hashes}. Send each (PUT /api/v1/fichiers/…), then send this again.',
  not_own_visit: 'This caller is not linked to an installer: name one, or sign in as one.',
  rdv_not_missed:
    'Rdv {id} is {statut}, but not because of an absence that this caller reported: there is nothing to take back.',
} as const

/** Refusals by these codes, and by those of the core. */
export const { conflict, fieldProblem, issue, reason } = refusalsOf({ ...ofTheCore, ...sentences })
