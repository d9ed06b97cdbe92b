import type { IncomingHttpHeaders } from 'node:http'
import {
  conflict,
  DomainError,
  type LabelTexts,
  labelErrors,
  normalizeColor,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  clearLabelEvents,
  deleteLabels,
  findGroupLabelsByTitle,
  findLabelsByTitle,
  insertLabel,
  isUniqueViolation,
  type LabelRef,
  type LabelRow,
  removeLabelLinks,
  setLabelPriority,
  type Transaction,
  updateLabel,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'
import { setSubscription } from '../subscriptions/subscription.service.ts'

/** The parent of a label: a project with its namespace, or a group. */
export type LabelParent = { projectId: number; namespaceId: number } | { groupId: number }

/** The input of a label; undefined keeps a value. */
export interface LabelInput {
  title?: string | undefined
  color?: string | undefined
  description?: string | undefined
  /** The priority in the project; null removes it. */
  priority?: number | null | undefined
}

/** Labels with this title in the parent or in a group above. One query. */
function findLabelsWithTitle(app: App, parent: LabelParent, title: string): Promise<LabelRef[]> {
  const titles = [title]
  return 'groupId' in parent
    ? findGroupLabelsByTitle(app.db, { ...parent, titles })
    : findLabelsByTitle(app.db, { ...parent, titles })
}

/** Normalizes and validates the texts. @throws DomainError `validation_failed` */
function normalizeTexts({ title, color, description }: LabelInput): LabelTexts {
  const texts: LabelTexts = { title: title?.trim(), color, description }
  const errors = labelErrors(texts)
  if (errors !== undefined) throw validationFailed(errors)
  return {
    ...texts,
    color: color === undefined ? undefined : normalizeColor(color),
    description: description === '' ? null : description,
  }
}

/**
 * Creates a label.
 * @throws DomainError `validation_failed`, `conflict` if the parent or a group above has a label
 *   with this title.
 */
export async function createLabel(
  app: App,
  parent: LabelParent,
  input: LabelInput & { title: string; color: string },
): Promise<LabelRow> {
  const { title = '', color = '', description = null } = normalizeTexts(input)
  if ((await findLabelsWithTitle(app, parent, title)).length > 0) throw labelExists()
  const owner = 'groupId' in parent ? { projectId: null, ...parent } : { ...parent, groupId: null }
  const { projectId, groupId } = owner
  const label = { projectId, groupId, title, color, description, createdAt: app.now() }
  return app.db.transaction(async (tx) => {
    const row = await insertLabel(tx, label)
    if (row === undefined) throw labelExists()
    await prioritize(tx, row, parent, input.priority)
    return row
  })
}

function labelExists(): DomainError {
  return conflict('Label already exists')
}

async function prioritize(
  tx: Transaction,
  label: LabelRow,
  parent: LabelParent,
  priority: number | null | undefined,
): Promise<void> {
  if (priority === undefined || 'groupId' in parent) return
  await setLabelPriority(tx, { projectId: parent.projectId, labelId: label.id, priority })
}

/**
 * Changes a label of the parent.
 * @throws DomainError `invalid_parameter` if no parameter is sent, `validation_failed`, `not_found`
 *   if it was deleted concurrently.
 */
export async function changeLabel(
  app: App,
  parent: LabelParent,
  label: LabelRow,
  input: LabelInput,
): Promise<LabelRow> {
  const { title = label.title, color = label.color, description } = normalizeTexts(input)
  if (title !== label.title) {
    const others = await findLabelsWithTitle(app, parent, title)
    if (others.length > 0) throw titleTaken()
  }
  const nextDescription = description === undefined ? label.description : description
  const change = { id: label.id, title, color, description: nextDescription, updatedAt: app.now() }
  try {
    return await app.db.transaction(async (tx) => {
      const row = await updateLabel(tx, change)
      if (row === undefined) throw notFound('Label')
      await prioritize(tx, row, parent, input.priority)
      return row
    })
  } catch (error) {
    throw isUniqueViolation(error) ? titleTaken() : error
  }
}

function titleTaken(): DomainError {
  return validationFailed({ title: ['has already been taken'] })
}

/**
 * Deletes a label and removes it from all items; its label events stay, without the label. Of a
 * label with many of them, most go before it in batches.
 * @throws DomainError `precondition_failed`
 */
export async function removeLabel(
  app: App,
  label: LabelRow,
  headers: IncomingHttpHeaders,
): Promise<void> {
  requireUnmodified(headers, label.updatedAt)
  const labelId = label.id
  for (const batch of [removeLabelLinks, clearLabelEvents]) {
    await inBatches((limit) => app.db.transaction((tx) => batch(tx, { labelId, limit })))
  }
  await app.db.transaction((tx) => deleteLabels(tx, [labelId]))
}

/**
 * Subscribes the caller to a label, or unsubscribes them. @throws DomainError `not_modified` if
 * nothing changes.
 */
export async function subscribeToLabel(
  app: App,
  caller: Caller,
  label: LabelRow,
  subscribed: boolean,
): Promise<void> {
  const { userId } = caller.facts
  if (userId === null) throw new DomainError('unauthorized')
  const target = { type: 'label', id: label.id } as const
  const changed = await app.db.transaction((tx) =>
    setSubscription(tx, target, userId, subscribed, app.now()),
  )
  if (!changed) throw new DomainError('not_modified')
}
