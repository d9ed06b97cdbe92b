import { inBackground, type Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** Counts of the whole instance; users, groups and projects that are being deleted are left out. */
export interface InstanceCounts {
  forks: number
  issues: number
  mergeRequests: number
  notes: number
  snippets: number
  sshKeys: number
  milestones: number
  users: number
  groups: number
  projects: number
  activeUsers: number
}

/** Counts what `GET /application/statistics` shows. One query for each count, in the background. */
export async function countInstance(queries: Queries): Promise<InstanceCounts> {
  const q = inBackground(queries)
  return {
    forks: await countForks(q),
    issues: await countAll(q, 'issues'),
    mergeRequests: await countAll(q, 'mergeRequests'),
    notes: await countAll(q, 'notes'),
    snippets: await countAll(q, 'snippets'),
    sshKeys: await countUserKeys(q),
    milestones: await countAll(q, 'milestones'),
    users: await countPeople(q),
    groups: await countGroups(q),
    projects: await countProjects(q),
    activeUsers: await countActiveUsers(q),
  }
}

type Counted = Promise<number>
type Table = keyof Pick<Schema, 'issues' | 'mergeRequests' | 'notes' | 'snippets' | 'milestones'>

async function countAll(q: Queries, table: Table): Counted {
  const row = await q.first(`instance.count|${table}`, {}, (db) =>
    db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

async function countProjects(q: Queries): Counted {
  const row = await q.first('instance.projects', {}, (db) =>
    db
      .selectFrom('projects')
      .where('deletedAt', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

async function countForks(q: Queries): Counted {
  const row = await q.first('instance.forks', {}, (db) =>
    db
      .selectFrom('projects')
      .where('forkedFromProjectId', 'is not', null)
      .where('deletedAt', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

async function countGroups(q: Queries): Counted {
  const row = await q.first('instance.groups', {}, (db) =>
    db
      .selectFrom('namespaces')
      .where('kind', '=', 'group')
      .where('deletedAt', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

async function countUserKeys(q: Queries): Counted {
  const row = await q.first('instance.keys', {}, (db) =>
    db
      .selectFrom('sshKeys')
      .where('kind', '=', 'user')
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

async function countPeople(q: Queries): Counted {
  const row = await q.first('instance.users', {}, (db) =>
    db
      .selectFrom('users')
      .where('kind', '<>', 'leaving')
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

async function countActiveUsers(q: Queries): Counted {
  const row = await q.first('instance.active-users', {}, (db) =>
    db
      .selectFrom('users')
      .where('kind', '=', 'human')
      .where('state', '=', 'active')
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}
