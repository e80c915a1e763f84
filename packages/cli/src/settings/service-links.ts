/** The address of a port, as Kubernetes and links of Docker write it. */
const address = /^(?:tcp|udp|sctp):\/\/[^/]+:\d+$/

/** What they set beside it, in every container next to a service: its host, its ports, and each of these in parts. */
const beside = /_SERVICE_HOST$|_SERVICE_PORT(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/

type Environment = Readonly<Record<string, string | undefined>>

/** A setting that is not one, since a service is named `sav`. */
export interface PassedOver {
  readonly name: string
  readonly value: string
}

/**
 * The environment without what tells where a service named `sav` or `sav-…` is.
 * @param known names of all settings
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
    if (!isAddress && !(name.startsWith('SAV_') && beside.test(name))) kept[name] = value
  }
  return { env: kept, passedOver }
}

export const passedOverSentence = ({ name, value }: PassedOver): string =>
  `${name} is passed over: ${value} is the address of a service named sav, which Kubernetes sets in every container. Set ${name} in this one, or enableServiceLinks: false in its pod.`
