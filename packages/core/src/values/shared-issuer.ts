/** Microsoft's own tenant of personal accounts, by its id. */
const personalAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad'
const sharedTenants: readonly string[] = ['common', 'organizations', 'consumers', personalAccounts]
const microsoftHosts =
  /(^|\.)(microsoftonline\.(com|us|de)|partner\.microsoftonline\.cn|chinacloudapi\.cn|windows\.net|microsoft\.com)\.?$/

/**
 * Whether people of any Microsoft tenant sign in at this issuer. Its `email` claim proves nothing then: each tenant's
 * administrator writes any address into it.
 */
export function isSharedByTenants(issuer: string): boolean {
  const { hostname = '', pathname = '' } = URL.parse(issuer) ?? {}
  const [tenant = ''] = pathname.split('/').filter((part) => part !== '')
  return microsoftHosts.test(hostname) && sharedTenants.includes(decodedOf(tenant).toLowerCase())
}

function decodedOf(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
