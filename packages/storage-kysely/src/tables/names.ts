import {
  AliasNode,
  type FromNode,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type ReferenceNode,
  type SelectModifierNode,
  TableNode,
  type UpdateQueryNode,
  type UsingNode,
} from 'kysely'
import type { StoreTables } from './store-tables.js'

/**
 * Where the store's own tables are in a shared database, and their names. Without a schema and a prefix, tables have
 * plain names.
 */
export interface TableNames {
  /** The schema on PostgreSQL; null: the first of the connection's `search_path`. */
  readonly schema: string | null
  /** The prefix of the names of tables, indexes and triggers, on SQLite. */
  readonly prefix: string
}

/**
 * The schema in the names of the store's locks and channel. Null also for `public`, which some processes name and
 * others find by the search path.
 */
export const nameOfSchema = ({ schema }: Pick<TableNames, 'schema'>): string | null =>
  schema === 'public' ? null : schema

/**
 * Puts the real names of the store's tables into queries when they are compiled. Inside a query each table keeps its
 * plain name (`from "shop_cases" as "cases"`), so that nothing else in it has to change.
 */
export function pluginsFor(names: TableNames, { all }: Pick<StoreTables, 'all'>): KyselyPlugin[] {
  if (names.schema === null && names.prefix === '') return []
  const transformer = new RealNames(names, all)
  return [
    {
      transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
      transformResult: async ({ result }) => result,
    },
  ]
}

class RealNames extends OperationNodeTransformer {
  readonly #names: TableNames
  readonly #own: StoreTables['all']
  /** Tables already renamed: a query inside another one is visited twice. */
  readonly #real = new WeakSet<TableNode>()

  constructor(names: TableNames, own: StoreTables['all']) {
    super()
    this.#names = names
    this.#own = own
  }

  protected override transformTable(node: TableNode): TableNode {
    const { identifier, schema } = node.table
    if (schema !== undefined || this.#real.has(node) || !this.#isOwn(identifier.name)) return node
    const name = `${this.#names.prefix}${identifier.name}`
    const real =
      this.#names.schema === null ? TableNode.create(name) : TableNode.createWithSchema(this.#names.schema, name)
    this.#real.add(real)
    return real
  }

  /** SQLite keeps each index of words in further tables. */
  #isOwn(name: string): boolean {
    return this.#own.has(name.replace(/_words(_docsize)?$/, ''))
  }

  protected override transformFrom(node: FromNode): FromNode {
    return { ...node, froms: node.froms.map((from) => this.#named(from)) }
  }

  protected override transformUsing(node: UsingNode): UsingNode {
    return { ...node, tables: node.tables.map((table) => this.#named(table)) }
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    return { ...super.transformJoin(node), table: this.#named(node.table) }
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    const transformed = super.transformUpdateQuery(node)
    return node.table === undefined ? transformed : { ...transformed, table: this.#named(node.table) }
  }

  /** `cases.id` and `for update of cases` refer to the table by its name in the query. */
  protected override transformReference(node: ReferenceNode): ReferenceNode {
    return node
  }

  protected override transformSelectModifier(node: SelectModifierNode): SelectModifierNode {
    return node
  }

  #named(node: OperationNode): OperationNode {
    const transformed = this.transformNode(node)
    if (!TableNode.is(node) || transformed === node) return transformed
    return AliasNode.create(transformed, IdentifierNode.create(node.table.identifier.name))
  }
}
