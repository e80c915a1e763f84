export { type OpenIdProviderOptions, openIdProvider } from './providers/openid-provider.js'
export { webAuthn } from './providers/web-authn.js'
