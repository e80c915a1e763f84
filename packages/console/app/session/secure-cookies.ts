/** Whether this browser keeps a session at this address: on http://localhost, Safari accepts no `Secure` cookies. */
export function takesSecureCookies(): boolean {
  // biome-ignore lint/suspicious/noDocumentCookie: the answer is wanted at once, and Firefox has no cookie store for it
  document.cookie = 'sav-probe=1; Secure; SameSite=Strict; Path=/; Max-Age=5'
  return document.cookie.includes('sav-probe=1')
}
