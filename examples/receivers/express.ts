import { webhook } from '@sav/webhook-verify/express'
import express from 'express'

const { SAV_WEBHOOK_SECRET = '', PORT = '4000' } = process.env
const app = express()
// Must come before express.json(), since the signature covers the raw bytes.
app.all(
  '/webhooks/sav',
  webhook(SAV_WEBHOOK_SECRET, ({ event, data }) => console.log(event, data.event_id)),
)
app.use(express.json())
app.listen(Number(PORT), '127.0.0.1', () => console.log('waiting'))
