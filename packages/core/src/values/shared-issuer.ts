/** Microsoft's tenant for personal accounts, by id. */
const personalAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad'
const sharedTenants: readonly string[] = ['common', 'organizations', 'consumers', personalAccounts]
const microsoftHosts =
  /(^|\.)(microsoftonline\.(com|us|de)|partner\.microsoftonline\.cn|chinacloudapi\.cn|windows\.net|microsoft\.com)\.?$/

/**
 * Whether users of any Microsoft tenant sign in at this issuer. Its `email` claim then proves nothing: each tenant's
 * administrator can set it to any address.
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
