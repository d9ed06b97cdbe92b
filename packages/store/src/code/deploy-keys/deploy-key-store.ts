import type { Page, PageRequest } from '../../platform/queries/page.ts'
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

function cutOf({ page, perPage }: PageRequest) {
  return { limit: perPage, offset: (page - 1) * perPage }
}

/** A page of all deploy keys, oldest first. */
export async function listDeployKeys(q: Queries, page: PageRequest): Promise<Page<DeployKeyRow>> {
  const items = await q.all('deployKeys.all', cutOf(page), (db, $) =>
    db
      .selectFrom('sshKeys')
      .select(keyColumns)
      .where('sshKeys.kind', '=', 'deploy')
      .orderBy('sshKeys.id')
      .limit($('limit'))
      .offset($('offset')),
  )
  const count = await q.first('deployKeys.all.count', {}, (db) =>
    db
      .selectFrom('sshKeys')
      .where('sshKeys.kind', '=', 'deploy')
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return { items, total: count?.total ?? 0, ...page }
}

/** A page of the deploy keys of a project, oldest first. */
export async function listProjectDeployKeys(
  q: Queries,
  projectId: number,
  page: PageRequest,
): Promise<Page<ProjectDeployKeyRow>> {
  const items = await q.all('deployKeys.project', { projectId, ...cutOf(page) }, (db, $) =>
    db
      .selectFrom('deployKeyProjects as link')
      .innerJoin('sshKeys', 'sshKeys.id', 'link.keyId')
      .select([...keyColumns, 'link.canPush'])
      .where('link.projectId', '=', $('projectId'))
      .orderBy('link.keyId')
      .limit($('limit'))
      .offset($('offset')),
  )
  const count = await q.first('deployKeys.project.count', { projectId }, (db, $) =>
    db
      .selectFrom('deployKeyProjects')
      .where('projectId', '=', $('projectId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return { items, total: count?.total ?? 0, ...page }
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
