// Sends traces of `sav` to an OpenTelemetry collector. Install it next to sav:
//   npm install --global @opentelemetry/api @opentelemetry/sdk-node
//   cp otel.mjs "$(npm root --global)"
//   NODE_OPTIONS="--import $(npm root --global)/otel.mjs" OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 sav serve
import { NodeSDK } from '@opentelemetry/sdk-node'

const sdk = new NodeSDK({ serviceName: process.env.OTEL_SERVICE_NAME ?? 'sav', autoDetectResources: false })
sdk.start()
// Sends the collected spans before the process ends.
process.once('beforeExit', () => sdk.shutdown())
