type NodeCrypto = typeof import('node:crypto')

let loaded: NodeCrypto | undefined

/** `node:crypto`, loaded at first use: loading takes 14 ms, too long for an import of the core. */
export const nodeCrypto = (): NodeCrypto => (loaded ??= process.getBuiltinModule('node:crypto'))

/** SHA-256 of bytes, or of a text in UTF-8. */
export const sha256Of = (content: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  nodeCrypto().hash('sha256', content, encoding)
