import { sql } from 'kysely'
import type { Columns, Tools } from '../tools.ts'

/** Pipelines, with the jobs and reported statuses that they are composed of. */
export async function createCi(t: Tools): Promise<void> {
  await createPipelines(t)
  await createStatuses(t)
}

async function createPipelines(t: Tools): Promise<void> {
  await t.table('pipelines', {
    id: t.id(),
    projectId: t.parent('projects'),
    ref: t.text(),
    sha: t.text(),
    beforeSha: t.textOrNull(),
    tag: t.int(),
    source: t.text(),
    status: t.text(),
    userId: t.referenceOrNull('users'),
    ...timestampColumns(t),
    duration: t.longOrNull(),
  })
  await t.index('pipelines', 'projectId', 'id')
  await t.index('pipelines', 'projectId', 'sha', 'id')
  await t.index('pipelines', 'projectId', 'ref', 'id')
  await t.index('pipelines', 'projectId', 'status', 'id')
  await t.index('pipelines', 'projectId', 'userId', 'id')
  await t.index('pipelines', 'userId', 'id')
}

async function createStatuses(t: Tools): Promise<void> {
  await t.table('commitStatuses', {
    id: t.id(),
    projectId: t.parent('projects'),
    pipelineId: t.parent('pipelines'),
    kind: t.text(),
    sha: t.text(),
    ref: t.text(),
    name: t.text(),
    stage: t.text(),
    stageIndex: t.int(),
    status: t.text(),
    retried: t.int(0),
    allowFailure: t.int(0),
    targetUrl: t.textOrNull(),
    description: t.textOrNull(),
    coverage: { type: sql`double precision`, refine: (column) => column },
    failureReason: t.textOrNull(),
    userId: t.referenceOrNull('users'),
    ...timestampColumns(t),
  })
  await t.index('commitStatuses', 'projectId', 'sha', 'id')
  await t.index('commitStatuses', 'projectId', 'sha', 'retried', 'id')
  await t.index('commitStatuses', 'pipelineId', 'retried', 'name', 'id')
  await t.index('commitStatuses', 'userId', 'id')
}

function timestampColumns(t: Tools): Columns {
  return {
    createdAt: t.long(),
    updatedAt: t.long(),
    startedAt: t.longOrNull(),
    finishedAt: t.longOrNull(),
  }
}
