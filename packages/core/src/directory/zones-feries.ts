/**
 * Zones with public holidays of their own: mainland France, Alsace-Moselle (departments 57, 67 and 68), and each overseas territory
 * by its ISO 3166-1 code.
 */
export const zonesFeries = ['FR', 'FR-57', 'GP', 'MQ', 'GF', 'RE', 'YT', 'PM', 'BL', 'MF', 'NC', 'PF', 'WF'] as const
/** The zone whose public holidays an account keeps: see `zonesFeries`. */
export type ZoneFeries = (typeof zonesFeries)[number]
