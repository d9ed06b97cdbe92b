import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A deploy token without its hash. */
export type DeployTokenRow = Omit<Row<'deployTokens'>, 'tokenHash'>

export interface NewDeployTokenRow {
  projectId: number
  creatorId: number | null
  name: string
  /** Null to derive it from the id. */
  username: string | null
  tokenHash: string
  scopes: readonly string[]
  /** Milliseconds since the epoch; null for a token that never expires. */
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

/** Stores a new deploy token by its hash. */
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
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Lists a page of the deploy tokens of a project, oldest first, expired ones included. */
export async function listDeployTokens(
  q: Queries,
  projectId: number,
  request: PageRequest,
): Promise<Page<DeployTokenRow>> {
  return listUncached(q, request, {
    shape: 'deployTokens.list',
    args: { projectId },
    key: 'deployTokens.id',
    from: (db, $) =>
      db.selectFrom('deployTokens').where('deployTokens.projectId', '=', $('projectId')),
    order: (query) => query.orderBy('deployTokens.id'),
    columns: (query) => query.select(columns),
  })
}

/** The deploy token with a hash, expired or not. */
export function findDeployToken(
  q: Queries,
  tokenHash: string,
): Promise<DeployTokenRow | undefined> {
  return q.first('deployTokens.find', { tokenHash }, (db, $) =>
    db.selectFrom('deployTokens').select(columns).where('tokenHash', '=', $('tokenHash')),
  )
}

/** A deploy token of a project, expired or not. */
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

/** Deletes a deploy token of a project; returns whether it existed. */
export async function deleteDeployToken(
  q: Queries,
  args: { projectId: number; id: number },
): Promise<boolean> {
  const { changes } = await q.run('deployTokens.delete', args, (db, $) =>
    db.deleteFrom('deployTokens').where('id', '=', $('id')).where('projectId', '=', $('projectId')),
  )
  return changes > 0
}
