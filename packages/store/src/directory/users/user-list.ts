import type {
  Expression,
  ExpressionBuilder,
  OrderByDirection,
  SelectQueryBuilder,
  SqlBool,
} from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { containing, matches } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type UserRefRow, type UserRow, userColumns, userRefColumns } from './user-row.ts'

export interface UserFilter {
  /** Part of a name or username, or an e-mail address: complete or, with `partsOfEmail`, part of it. */
  search?: string | undefined
  partsOfEmail?: boolean
  username?: string | undefined
  /** Neither blocked nor the ghost. */
  active?: boolean
  blocked?: boolean
  external?: boolean
  twoFactor?: 'enabled' | 'disabled' | undefined
  identity?: { provider: string; externUid: string } | undefined
  /** Milliseconds since the epoch. */
  createdBefore?: number | undefined
  createdAfter?: number | undefined
  /** Custom attributes that the user must have, by key. */
  attributes?: Readonly<Record<string, string>> | undefined
  orderBy?: 'id' | 'nameLower' | 'usernameLower' | 'createdAt' | 'updatedAt'
  direction?: OrderByDirection & ('asc' | 'desc')
}

/** A full user with the counts that their JSON shape includes. */
export type ListedUserRow = UserRow & { personalProjects: number; identityCount: number }

type Args = Record<string, string | number>
type Builder = ExpressionBuilder<Schema, 'users'>
type Condition = (eb: Builder, $: Param<Args>) => Expression<SqlBool>

interface Parts {
  names: string[]
  args: Args
  conditions: Condition[]
}

/** Lists a page of users with their public columns. */
export function listUsers(
  q: Queries,
  filter: UserFilter,
  page: PageRequest,
): Promise<Page<UserRefRow>> {
  const list = listQuery(filter)
  const columns = (query: Select) => query.select(userRefColumns)
  return listPage(q, page, { ...list, shape: `${list.shape}|refs`, columns })
}

/** Lists a page of users with all columns that administrators see. */
export function listFullUsers(
  q: Queries,
  filter: UserFilter,
  page: PageRequest,
): Promise<Page<ListedUserRow>> {
  const list = listQuery(filter)
  const columns = (query: Select) => query.select(userColumns).select(userNumbers)
  return listPage(q, page, { ...list, shape: `${list.shape}|full`, columns })
}

type Select = SelectQueryBuilder<Schema, 'users', object>

/** The number of personal projects and of identities of each user in the query. */
export function userNumbers(eb: Builder) {
  return [
    eb
      .selectFrom('namespaces as own')
      .innerJoin('projects as held', 'held.namespaceId', 'own.id')
      .whereRef('own.ownerId', '=', 'users.id')
      .where('held.deletedAt', 'is', null)
      .select((e) => e.fn.countAll<number>().as('total'))
      .$asScalar()
      .$notNull()
      .as('personalProjects'),
    eb
      .selectFrom('identities')
      .whereRef('identities.userId', '=', 'users.id')
      .select((e) => e.fn.countAll<number>().as('total'))
      .$asScalar()
      .$notNull()
      .as('identityCount'),
  ] as const
}

/** The parts of the list's query. */
function listQuery(filter: UserFilter) {
  const { names, args, conditions } = partsOf(filter)
  const { orderBy = 'id', direction = 'desc' } = filter
  const shape = `users.list|${names.join(',')}|${orderBy}-${direction}`
  return {
    shape,
    args,
    countShape: `users.list|${names.join(',')}`,
    // No stamp covers identities.
    stamp: filter.identity === undefined ? (['users'] as const) : undefined,
    key: 'users.id' as const,
    from: (db: { selectFrom(table: 'users'): Select }, $: Param<Args>): Select =>
      conditions.reduce(
        (query, condition) => query.where((eb) => condition(eb, $)),
        db.selectFrom('users').where('users.kind', '<>', 'leaving'),
      ),
    order: (query: Select): Select => {
      if (orderBy === 'id') return query.orderBy('users.id', direction)
      return query.orderBy(`users.${orderBy}`, direction).orderBy('users.id', direction)
    },
  }
}

function partsOf(filter: UserFilter): Parts {
  const parts: Parts = { names: [], args: {}, conditions: [] }
  const add = (name: string, args: Args, condition: Condition) => {
    parts.names.push(name)
    Object.assign(parts.args, args)
    parts.conditions.push(condition)
  }
  addNames(filter, add)
  addFlags(filter, add)
  const { createdBefore, createdAfter, identity, attributes = {} } = filter
  if (createdBefore !== undefined) {
    add('before', { createdBefore }, (eb, $) =>
      eb('users.createdAt', '<', $('createdBefore') as number),
    )
  }
  if (createdAfter !== undefined) {
    add('after', { createdAfter }, (eb, $) =>
      eb('users.createdAt', '>', $('createdAfter') as number),
    )
  }
  if (identity !== undefined) add('identity', identity, hasIdentity)
  Object.entries(attributes).forEach(([key, value], index) => {
    const args = { [`key${index}`]: key, [`value${index}`]: value }
    add('attribute', args, (eb, $) => hasAttribute(eb, $, index))
  })
  return parts
}

type Add = (name: string, args: Args, condition: Condition) => void

function addNames({ search, partsOfEmail, username }: UserFilter, add: Add): void {
  if (username !== undefined) {
    const args = { usernameLower: username.toLowerCase() }
    add('username', args, (eb, $) => eb('users.usernameLower', '=', $('usernameLower') as string))
  }
  if (search === undefined) return
  const args = { pattern: containing(search.toLowerCase()) }
  if (partsOfEmail) {
    add('search-parts', args, (eb, $) =>
      eb.or([
        matches('users.nameLower', $('pattern') as string),
        matches('users.usernameLower', $('pattern') as string),
        matches('users.emailLower', $('pattern') as string),
      ]),
    )
    return
  }
  add('search', { ...args, email: search.toLowerCase() }, (eb, $) =>
    eb.or([
      matches('users.nameLower', $('pattern') as string),
      matches('users.usernameLower', $('pattern') as string),
      eb('users.emailLower', '=', $('email') as string),
    ]),
  )
}

function addFlags({ active, blocked, external, twoFactor }: UserFilter, add: Add): void {
  if (active) {
    add('active', {}, (eb) =>
      eb.and([eb('users.state', '=', 'active'), eb('users.kind', '=', 'human')]),
    )
  }
  if (blocked) add('blocked', {}, (eb) => eb('users.state', '=', 'blocked'))
  if (external) add('external', {}, (eb) => eb('users.external', '=', 1))
  if (twoFactor !== undefined) {
    const wanted = twoFactor === 'enabled' ? 1 : 0
    add(`two-factor-${twoFactor}`, {}, (eb) => eb('users.twoFactorEnabled', '=', wanted))
  }
}

function hasIdentity(eb: Builder, $: Param<Args>): Expression<SqlBool> {
  const owners = eb
    .selectFrom('identities')
    .select('identities.userId')
    .where('identities.provider', '=', $('provider') as string)
    .where('identities.externUid', '=', $('externUid') as string)
  return eb('users.id', 'in', owners)
}

function hasAttribute(eb: Builder, $: Param<Args>, index: number): Expression<SqlBool> {
  const owners = eb
    .selectFrom('customAttributes')
    .select('customAttributes.ownerId')
    .where('customAttributes.ownerKind', '=', 'user')
    .where('customAttributes.key', '=', $(`key${index}`) as string)
    .where('customAttributes.value', '=', $(`value${index}`) as string)
  return eb('users.id', 'in', owners)
}
