import { ofFeatures, type PermissionDeclarations } from '@sav/core/feature'
import * as z from 'zod'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Writes a schema as JSON Schema. A schema with an id is written once, into `components`.
 * @param ofService the kinds of events, and the permissions, of the service
 */
export function schemaWriter(
  components: Record<string, unknown>,
  ofService: { readonly events: readonly string[]; readonly permissions: PermissionDeclarations },
) {
  return (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override({ jsonSchema }) {
        // Clients must accept future fields.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        const list = jsonSchema[ofFeatures]
        delete jsonSchema[ofFeatures]
        if (list === 'events') jsonSchema.enum = [...ofService.events]
        if (list === 'permissions') {
          const allows = Object.entries(ofService.permissions).map(([name, { allows }]) => [name, allows] as const)
          jsonSchema.enum = allows.map(([name]) => name)
          jsonSchema['x-enumDescriptions'] = Object.fromEntries(allows)
        }
      },
    })
    const referred = JSON.parse(JSON.stringify({ $defs, own }).replaceAll('"#/$defs/', '"#/components/schemas/'))
    Object.assign(components, referred.$defs)
    return referred.own
  }
}
