/**
 * HMAC-SHA256 (RFC 2104) over `prefix` in UTF-8 followed by `body`, under one key, written as lowercase hexadecimal or
 * padded base64. Synchronous where the platform is.
 */
export type Mac = (prefix: string, body: string | Uint8Array, encoding: 'hex' | 'base64') => string | Promise<string>
