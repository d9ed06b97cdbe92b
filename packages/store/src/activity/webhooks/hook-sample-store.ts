import type { Queries } from '../../platform/queries/queries.ts'
import type { Row } from '../../platform/schema/schema.ts'
import type { HookOwner } from './webhook-store.ts'

/**
 * The projects whose events a hook receives, the most recently active first, at most `limit`: a
 * test of the hook takes its data from one of them.
 */
export async function listSampleProjects(
  q: Queries,
  owner: HookOwner,
  limit: number,
): Promise<number[]> {
  if (owner.kind === 'project') return [owner.id]
  const args = { groupId: owner.kind === 'group' ? owner.id : 0, limit }
  const rows = await q.all(`hook-samples.projects|${owner.kind}`, args, (db, $) => {
    const projects = db
      .selectFrom('projects as p')
      .where('p.deletedAt', 'is', null)
      .orderBy('p.lastActivityAt', 'desc')
      .orderBy('p.id', 'desc')
      .limit($('limit'))
      .select('p.id')
    if (owner.kind === 'system') return projects
    return projects.where('p.namespaceId', 'in', (eb) =>
      eb
        .selectFrom('namespaceAncestors as a')
        .where('a.ancestorId', '=', $('groupId'))
        .select('a.descendantId'),
    )
  })
  return rows.map(({ id }) => id)
}

/** The id of the newest issue of a project that is confidential, or is not. */
export function findSampleIssue(
  q: Queries,
  { projectId, confidential }: { projectId: number; confidential: boolean },
): Promise<{ id: number } | undefined> {
  const shape = `hook-samples.issue|${confidential ? 'confidential' : 'open'}`
  return q.first(shape, { projectId }, (db, $) =>
    db
      .selectFrom('issues')
      .where('projectId', '=', $('projectId'))
      .where('confidential', '=', confidential ? 1 : 0)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .select('id'),
  )
}

/** The id of the newest merge request of a project. */
export function findSampleMergeRequest(
  q: Queries,
  projectId: number,
): Promise<{ id: number } | undefined> {
  return q.first('hook-samples.merge-request', { projectId }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where('projectId', '=', $('projectId'))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .select('id'),
  )
}

/** The newest comments of a project, by the events that they left. */
export function listSampleNotes(
  q: Queries,
  args: { projectId: number; limit: number },
): Promise<Row<'notes'>[]> {
  return q.all('hook-samples.notes', args, (db, $) =>
    db
      .selectFrom('events as e')
      .innerJoin('notes as n', 'n.id', 'e.targetId')
      .where('e.projectId', '=', $('projectId'))
      .where('e.action', '=', 'commented')
      .orderBy('e.createdAt', 'desc')
      .orderBy('e.id', 'desc')
      .limit($('limit'))
      .selectAll('n'),
  )
}

/** The newest pipeline of a project. */
export function findSamplePipeline(
  q: Queries,
  projectId: number,
): Promise<Row<'pipelines'> | undefined> {
  return q.first('hook-samples.pipeline', { projectId }, (db, $) =>
    db
      .selectFrom('pipelines')
      .where('projectId', '=', $('projectId'))
      .orderBy('id', 'desc')
      .limit(1)
      .selectAll(),
  )
}
