import type { Dispatcher } from 'undici'

/** The proxy is unreachable, or refuses us: nothing was sent. */
export class ProxyAwayError extends Error {}

/**
 * Marks failures on the way to a proxy, since those behind it have the same codes (ECONNREFUSED, ECONNRESET). A
 * ProxyAgent uses this interceptor only to request its tunnels. TLS with the receiver and the request come later,
 * inside the tunnel.
 */
export const throughProxy: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade(controller, status, headers, socket) {
      if (status !== 407) return handler.onRequestUpgrade?.(controller, status, headers, socket)
      socket.on('error', () => {}).destroy()
      handler.onResponseError?.(controller, new ProxyAwayError('the proxy refuses our user and password'))
    },
    onResponseStart: (...answer) => handler.onResponseStart?.(...answer),
    onResponseError: (controller, cause) =>
      handler.onResponseError?.(controller, new ProxyAwayError('the proxy cannot be reached', { cause })),
  })
