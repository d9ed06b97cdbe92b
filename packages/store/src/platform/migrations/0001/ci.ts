import { sql } from 'kysely'
import type { Columns, Tools } from '../tools.ts'

/** Pipelines, with the jobs and reported statuses that they are composed of; deployments. */
export async function createCi(t: Tools): Promise<void> {
  await createPipelines(t)
  await createStatuses(t)
  await createEnvironments(t)
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

async function createEnvironments(t: Tools): Promise<void> {
  await t.table('environments', {
    id: t.id(),
    projectId: t.parent('projects'),
    name: t.text(),
    nameLower: t.text(),
    slug: t.text(),
    externalUrl: t.textOrNull(),
    state: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('environments', 'projectId', 'id')
  await t.index('environments', 'projectId', 'state', 'id')
  await t.unique('environments', 'projectId', 'name')
  await t.unique('environments', 'projectId', 'slug')
  await t.table('deployments', {
    id: t.id(),
    projectId: t.parent('projects'),
    environmentId: t.parent('environments'),
    iid: t.long(),
    ref: t.text(),
    tag: t.int(),
    sha: t.text(),
    status: t.text(),
    userId: t.referenceOrNull('users'),
    jobId: t.referenceOrNull('commitStatuses'),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('deployments', 'projectId', 'id')
  await t.unique('deployments', 'projectId', 'iid')
  await t.index('deployments', 'projectId', 'createdAt', 'id')
  await t.index('deployments', 'projectId', 'updatedAt', 'id')
  await t.index('deployments', 'projectId', 'ref', 'id')
  await t.index('deployments', 'projectId', 'status', 'id')
  await t.index('deployments', 'environmentId', 'id')
  await t.index('deployments', 'environmentId', 'status', 'id')
  await t.index('deployments', 'userId', 'id')
  await t.notNullIndex('deployments', 'jobId')
}

function timestampColumns(t: Tools): Columns {
  return {
    createdAt: t.long(),
    updatedAt: t.long(),
    startedAt: t.longOrNull(),
    finishedAt: t.longOrNull(),
  }
}
