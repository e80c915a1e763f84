/** The address of a port, as Kubernetes and Docker links write it. */
const address = /^(?:tcp|udp|sctp):\/\/[^/]+:\d+$/

/**
 * Whether a variable is one that Kubernetes or Docker links set beside such an address: its host, its port, or a part
 * of it.
 */
const isBeside = (name: string): boolean =>
  name.endsWith('_SERVICE_HOST') || name.includes('_SERVICE_PORT') || /_PORT_\d{1,5}_(?:TCP|UDP|SCTP)/.test(name)

type Environment = Readonly<Record<string, string | undefined>>

/** A variable with the name of a setting, which Kubernetes set because a service is named `sav`. */
export interface PassedOver {
  readonly name: string
  readonly value: string
}

/**
 * Removes from the environment the variables that Kubernetes or Docker links set for services named `sav` or `sav-…`.
 * @param known the names of all settings
 */
export function withoutServiceLinks(
  env: Environment,
  known: readonly string[],
): { readonly env: Environment; readonly passedOver: readonly PassedOver[] } {
  const kept: Record<string, string | undefined> = {}
  const passedOver: PassedOver[] = []
  for (const [name, value = ''] of Object.entries(env)) {
    const isAddress = name.startsWith('SAV_') && name.endsWith('_PORT') && address.test(value)
    if (isAddress && known.includes(name)) passedOver.push({ name, value })
    if (!isAddress && !(name.startsWith('SAV_') && isBeside(name))) kept[name] = value
  }
  return { env: kept, passedOver }
}

export const passedOverSentence = ({ name, value }: PassedOver): string =>
  `${name} is ignored: ${value} is the address of a service named sav, which Kubernetes sets in every container. Set ${name} in this one, or enableServiceLinks: false in its pod.`
