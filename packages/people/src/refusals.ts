import { sentences as ofTheCore, refusalsOf } from '@sav/core/feature'

/** The refusals of this feature, by codes that never change. */
export const sentences = {
  invitation_not_by_email: 'needs a mail server (SAV_SMTP_URL) and a public address (SAV_PUBLIC_URL)',
  user_email_taken: 'A person of this account already has the e-mail address {email}.',
  user_disabled: '{nom} ({id}) is disabled: enable them first.',
  last_administrator: '{nom} is the last administrator: make another person an administrator first.',
  passkeys_unavailable: 'This service does not accept passkeys.',
  passkey_registered: 'This passkey is already registered.',
  identity_provider_missing: 'This service has no identity provider.',
  read_from_other_site: 'A session may read only from pages of this service.',
  write_from_other_site: 'A session may write only from pages of this service.',
  console_header_missing: 'X-Sav-Console: 1 is missing.',
  key_has_no_device: 'A key has no phone: sign in as the installer who holds the phone.',
  key_cannot_sign_out: 'A key cannot sign out: revoke it.',
  sign_in_needs_https:
    'Signing in from another machine needs https: set SAV_PUBLIC_URL to the https address of this service.',
  passkey_needs_name: 'A passkey needs a host name, not an address: open http://localhost:{port}/app.',
} as const

/** Refusals by these codes, and by those of the core. */
export const { conflict, fieldProblem, issue, reason } = refusalsOf({ ...ofTheCore, ...sentences })
