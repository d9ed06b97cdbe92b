import {
  completeLabelMerge,
  enqueueJob,
  type LabelMerge,
  moveLabelEvents,
  moveLabelLinks,
  replaceLabelInProject,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'

/** The job that merges labels that are used often. */
export const mergeLabelsKind = 'labels.merge'

/** Links and label events of one transaction. */
const batchSize = 200

/**
 * Replaces labels by another one, and deletes them if that is everywhere. Labels that are used
 * often are merged by a job afterwards; items have the one or the other until then.
 */
export async function mergeLabels(tx: Transaction, merge: LabelMerge, at: number): Promise<void> {
  const batch = { ...merge, limit: batchSize }
  const links = await moveLabelLinks(tx, batch)
  const events = await moveLabelEvents(tx, batch)
  if (links < batchSize && events < batchSize) return complete(tx, merge)
  await enqueueJob(tx, { queue: 'default', kind: mergeLabelsKind, payload: merge }, at)
}

/** Merges labels in as many transactions as it takes. Idempotent. */
export async function mergeLabelsInBatches(app: App, merge: LabelMerge): Promise<void> {
  for (const move of [moveLabelLinks, moveLabelEvents]) {
    await inBatches((limit) => app.db.transaction((tx) => move(tx, { ...merge, limit })), batchSize)
  }
  await app.db.transaction((tx) => mergeLabels(tx, merge, app.now()))
}

async function complete(tx: Transaction, { from, into, projectId }: LabelMerge): Promise<void> {
  if (projectId === undefined) return completeLabelMerge(tx, { from, into })
  for (const id of from) await replaceLabelInProject(tx, { projectId, from: id, into })
}
