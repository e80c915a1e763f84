import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { webhook } from '@sav/webhook-verify/express'

class AppModule {}
Module({})(AppModule)

const { SAV_WEBHOOK_SECRET = '', PORT = '4000' } = process.env
const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
// Must come before listen(), which adds body parsers: the signature covers the raw bytes.
app.use(
  '/webhooks/sav',
  webhook(SAV_WEBHOOK_SECRET, ({ event, data }) => console.log(event, data.event_id)),
)
await app.listen(Number(PORT), '127.0.0.1')
console.log('waiting')
