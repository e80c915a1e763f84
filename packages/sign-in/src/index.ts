export { type OpenIdProviderOptions, openIdProvider } from './openid-provider.js'
export { webAuthn } from './web-authn.js'
