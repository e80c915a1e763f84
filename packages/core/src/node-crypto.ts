type NodeCrypto = typeof import('node:crypto')

let loaded: NodeCrypto | undefined

/** `node:crypto`, loaded for the first who needs it: an import of the core is spared the 14 ms that it takes. */
export const nodeCrypto = (): NodeCrypto => (loaded ??= process.getBuiltinModule('node:crypto'))

/** SHA-256. Text stands for its UTF-8 bytes. */
export const sha256Of = (content: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  nodeCrypto().hash('sha256', content, encoding)
