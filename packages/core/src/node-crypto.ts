type NodeCrypto = typeof import('node:crypto')

let loaded: NodeCrypto | undefined

/** `node:crypto`, loaded at its first use: it takes 14 ms, which importing the core should not cost. */
export const nodeCrypto = (): NodeCrypto => (loaded ??= process.getBuiltinModule('node:crypto'))

/** SHA-256. Text means its UTF-8 bytes. */
export const sha256Of = (content: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  nodeCrypto().hash('sha256', content, encoding)
