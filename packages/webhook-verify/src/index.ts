export { type VerificationFailure, WebhookVerificationError } from './errors.js'
export {
  type EventData,
  type EventDataByKind,
  type EventKind,
  eventKinds,
  type FieldChange,
  type KnownEvent,
  type RdvData,
  type SavClosedData,
  type SavData,
  type SavReportData,
  type TestData,
  type TestEvent,
  type UnknownEvent,
  type WebhookEvent,
} from './events.js'
export type { WebhookHeaders } from './headers.js'
export { type SignatureHeaders, type SignInput, sign } from './sign.js'
export {
  type RawBody,
  type Secrets,
  safeVerify,
  type VerificationResult,
  type VerifyOptions,
  verify,
  verifySignature,
} from './verify.js'
