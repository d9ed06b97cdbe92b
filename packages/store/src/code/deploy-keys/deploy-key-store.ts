import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import type { Flag } from '../../platform/schema/flag.ts'

/** A deploy key. */
export interface DeployKeyRow {
  id: number
  title: string
  key: string
  public: Flag
  createdAt: number
  updatedAt: number
}

/** A deploy key as one project uses it. */
export interface ProjectDeployKeyRow extends DeployKeyRow {
  canPush: Flag
}

const keyColumns = [
  'sshKeys.id',
  'sshKeys.title',
  'sshKeys.key',
  'sshKeys.public',
  'sshKeys.createdAt',
  'sshKeys.updatedAt',
] as const

/** A page of all deploy keys, oldest first. */
export function listDeployKeys(q: Queries, request: PageRequest): Promise<Page<DeployKeyRow>> {
  return listUncached(q, request, {
    shape: 'deployKeys.all',
    args: {},
    key: 'sshKeys.id',
    from: (db) => db.selectFrom('sshKeys').where('sshKeys.kind', '=', 'deploy'),
    order: (query) => query.orderBy('sshKeys.id'),
    columns: (query) => query.select(keyColumns),
  })
}

/** A page of the deploy keys of a project, oldest first. */
export function listProjectDeployKeys(
  q: Queries,
  projectId: number,
  request: PageRequest,
): Promise<Page<ProjectDeployKeyRow>> {
  return listUncached(q, request, {
    shape: 'deployKeys.project',
    args: { projectId },
    key: 'deployKeyProjects.keyId',
    from: (db, $) =>
      db.selectFrom('deployKeyProjects').where('deployKeyProjects.projectId', '=', $('projectId')),
    order: (query) => query.orderBy('deployKeyProjects.keyId'),
    columns: (query) =>
      query
        .innerJoin('sshKeys', 'sshKeys.id', 'deployKeyProjects.keyId')
        .select([...keyColumns, 'deployKeyProjects.canPush']),
  })
}

/** A deploy key of a project. */
export function findProjectDeployKey(
  q: Queries,
  args: { projectId: number; keyId: number },
): Promise<ProjectDeployKeyRow | undefined> {
  return q.first('deployKeys.find', args, (db, $) =>
    db
      .selectFrom('deployKeyProjects as link')
      .innerJoin('sshKeys', 'sshKeys.id', 'link.keyId')
      .select([...keyColumns, 'link.canPush'])
      .where('link.projectId', '=', $('projectId'))
      .where('link.keyId', '=', $('keyId')),
  )
}

/** A deploy key, whatever projects it is enabled on. */
export function findDeployKey(q: Queries, keyId: number): Promise<DeployKeyRow | undefined> {
  return q.first('deployKeys.one', { keyId }, (db, $) =>
    db
      .selectFrom('sshKeys')
      .select(keyColumns)
      .where('sshKeys.id', '=', $('keyId'))
      .where('sshKeys.kind', '=', 'deploy'),
  )
}
