import { randomUUID } from 'node:crypto'
import { enqueueJob, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { enqueueMails, isMailSent } from '../../platform/mail/mail.ts'
import {
  type AccessRequestJob,
  type MemberPayload,
  type MovedJob,
  memberKind,
  movedNotifyKind,
  type PipelinePayload,
  pipelineKind,
  requestAccessNotifyKind,
} from './place-notification.ts'

/** Tells those who decide about a request for access. */
export async function notifyOfAccessRequest(
  tx: Transaction,
  { source, deciderIds, userId: actorId, now }: Change<'access.requested'>,
): Promise<void> {
  if (actorId === null || deciderIds.length === 0 || !isMailSent()) return
  const payload: AccessRequestJob = { key: randomUUID(), source, actorId, deciderIds }
  await enqueueJob(tx, { queue: 'default', kind: requestAccessNotifyKind, payload }, now)
}

/** Tells new members, unless they made themselves one. */
export async function notifyOfMembership(
  tx: Transaction,
  { source, memberId: userId, userId: actorId, now }: Change<'member.joined'>,
): Promise<void> {
  if (userId === actorId) return
  const payload: MemberPayload = { source, actorId }
  const key = `${memberKind}:${randomUUID()}`
  await enqueueMails(tx, [{ key, kind: memberKind, userId, payload }], now)
}

/** Tells who started a pipeline that it failed or succeeded. */
export async function notifyOfPipeline(
  tx: Transaction,
  { pipeline, now }: Change<'pipeline.status_changed'>,
): Promise<void> {
  const { id: pipelineId, projectId, ref, sha, status, userId } = pipeline
  if (userId === null || (status !== 'failed' && status !== 'success')) return
  const payload: PipelinePayload = { projectId, pipelineId, ref, sha, status }
  const key = `${pipelineKind}:${randomUUID()}`
  await enqueueMails(tx, [{ key, kind: pipelineKind, userId, payload }], now)
}

/** Tells the members of a project that has another namespace. */
export async function notifyOfTransfer(
  tx: Transaction,
  { projectId, userId: actorId, now }: Change<'project.transferred'>,
): Promise<void> {
  if (!isMailSent()) return
  const payload: MovedJob = { key: randomUUID(), projectId, actorId }
  await enqueueJob(tx, { queue: 'default', kind: movedNotifyKind, payload }, now)
}
