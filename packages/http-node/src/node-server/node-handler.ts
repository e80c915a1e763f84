import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../http/exchange.js'
import { answering } from './answering.js'
import { defaultLimits, type ListenerLimits } from './limits.js'

/** Answers every request, and passes none on. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void

/**
 * A handler for the host's own server: `node:http`, Express, Fastify, Nest. It reads the body itself, so no body parser
 * may come before it. The timeouts of headers and idle connections are those of the host's server.
 * @param limits of bodies and of answers; see ListenerLimits
 */
export function createNodeHandler(
  api: Api,
  limits: Partial<Pick<ListenerLimits, 'minSpeed' | 'maxDrainBytes' | 'maxDrainMs' | 'maxDrainPauseMs'>> = {},
): NodeHandler {
  const { answer } = answering(api, { limits: { ...defaultLimits, ...limits }, isClosing: () => false })
  return (req, res) => answer(req, res, false)
}
