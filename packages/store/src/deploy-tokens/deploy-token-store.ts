import type { Page, PageRequest } from '../page.ts'
import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { jsonText } from '../sql.ts'

/** A deploy token without its hash. */
export type DeployTokenRow = Omit<Row<'deployTokens'>, 'tokenHash'>

export interface NewDeployTokenRow {
  projectId: number
  creatorId: number | null
  name: string
  /** Null for the one that is made from the id. */
  username: string | null
  tokenHash: string
  scopes: readonly string[]
  /** Milliseconds since the epoch; null for a token that never ends. */
  expiresAt: number | null
  createdAt: number
}

const columns = [
  'id',
  'projectId',
  'creatorId',
  'name',
  'username',
  'scopes',
  'expiresAt',
  'createdAt',
] as const

/** Keeps a new deploy token by its hash. */
export async function insertDeployToken(
  tx: Transaction,
  token: NewDeployTokenRow,
): Promise<DeployTokenRow> {
  const args = { ...token, scopes: jsonText(token.scopes) }
  const row = await tx.first('deployTokens.insert', args, (db, $) =>
    db
      .insertInto('deployTokens')
      .values({
        projectId: $('projectId'),
        creatorId: $('creatorId'),
        name: $('name'),
        username: $('username'),
        tokenHash: $('tokenHash'),
        scopes: $('scopes'),
        expiresAt: $('expiresAt'),
        createdAt: $('createdAt'),
      })
      .returning(columns),
  )
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/** A page of the deploy tokens of a project, oldest first, those that have ended too. */
export async function listDeployTokens(
  q: Queries,
  projectId: number,
  { page, perPage }: PageRequest,
): Promise<Page<DeployTokenRow>> {
  const args = { projectId, limit: perPage, offset: (page - 1) * perPage }
  const items = await q.all('deployTokens.list', args, (db, $) =>
    db
      .selectFrom('deployTokens')
      .select(columns)
      .where('projectId', '=', $('projectId'))
      .orderBy('id')
      .limit($('limit'))
      .offset($('offset')),
  )
  const count = await q.first('deployTokens.count', { projectId }, (db, $) =>
    db
      .selectFrom('deployTokens')
      .where('projectId', '=', $('projectId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return { items, total: count?.total ?? 0, page, perPage }
}

/** The deploy token of a hash, ended or not. */
export function findDeployToken(
  q: Queries,
  tokenHash: string,
): Promise<DeployTokenRow | undefined> {
  return q.first('deployTokens.find', { tokenHash }, (db, $) =>
    db.selectFrom('deployTokens').select(columns).where('tokenHash', '=', $('tokenHash')),
  )
}

/** A deploy token of a project, ended or not. */
export function findProjectDeployToken(
  q: Queries,
  args: { projectId: number; id: number },
): Promise<DeployTokenRow | undefined> {
  return q.first('deployTokens.one', args, (db, $) =>
    db
      .selectFrom('deployTokens')
      .select(columns)
      .where('id', '=', $('id'))
      .where('projectId', '=', $('projectId')),
  )
}

/** Ends a deploy token of a project for good; answers whether there was one. */
export async function deleteDeployToken(
  q: Queries,
  args: { projectId: number; id: number },
): Promise<boolean> {
  const { changes } = await q.run('deployTokens.delete', args, (db, $) =>
    db.deleteFrom('deployTokens').where('id', '=', $('id')).where('projectId', '=', $('projectId')),
  )
  return changes > 0
}
