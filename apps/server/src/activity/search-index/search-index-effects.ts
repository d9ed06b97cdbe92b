import type { SettingName } from '@stithy/core'
import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { enqueueCatchUp, enqueueIndexing } from './search-index.jobs.ts'

/** Enqueues a job that indexes what was pushed to the default branch. */
export async function indexPush(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  const { projectId, defaultBranch, updates } = push
  const ref = `refs/heads/${defaultBranch}`
  if (!updates.some((update) => update.ref === ref)) return
  await enqueueIndexing(tx, { projectId, kind: 'code' }, now)
}

/** The same for the first commit of a new project, and for a fork. */
export async function indexNewProject(
  tx: Transaction,
  { projectId, initialBranch, now }: Change<'project.created'>,
): Promise<void> {
  if (initialBranch !== null) await enqueueIndexing(tx, { projectId, kind: 'code' }, now)
}

export async function indexImport(
  tx: Transaction,
  { projectId, now }: Change<'repository.imported'>,
): Promise<void> {
  await enqueueIndexing(tx, { projectId, kind: 'code' }, now)
}

export async function indexNewDefaultBranch(
  tx: Transaction,
  { projectId, now }: Change<'project.default_branch_changed'>,
): Promise<void> {
  await enqueueIndexing(tx, { projectId, kind: 'code' }, now)
}

export async function indexWiki(
  tx: Transaction,
  { projectId, now }: Change<'wiki.changed'>,
): Promise<void> {
  await enqueueIndexing(tx, { projectId, kind: 'wiki' }, now)
}

/** Enqueues jobs that remove deleted projects from the index. */
export async function removeProjectsFromIndex(
  tx: Transaction,
  { projectIds, now }: Change<'project.deleted'>,
): Promise<void> {
  for (const projectId of projectIds) {
    await enqueueIndexing(tx, { projectId, kind: 'code' }, now)
    await enqueueIndexing(tx, { projectId, kind: 'wiki' }, now)
  }
}

/** Settings that say whether there is an index, where it is, and what is in it. */
const indexSettings: ReadonlySet<string> = new Set<SettingName>([
  'searchengine_aws',
  'searchengine_aws_access_key',
  'searchengine_aws_region',
  'searchengine_aws_secret_access_key',
  'searchengine_url',
  'searchengine_indexing',
  'searchengine_limit_indexing',
  'searchengine_project_ids',
  'searchengine_namespace_ids',
])

/** Enqueues a job that finds what the index lacks or should not have. */
export async function followIndexSettings(
  tx: Transaction,
  { changes, now }: Change<'settings.updated'>,
): Promise<void> {
  if (changes.some(({ name }) => indexSettings.has(name))) await enqueueCatchUp(tx, now)
}
