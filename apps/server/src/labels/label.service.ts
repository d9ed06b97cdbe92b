import type { IncomingHttpHeaders } from 'node:http'
import {
  conflict,
  DomainError,
  invalidParameter,
  type LabelTexts,
  labelErrors,
  normalizeColor,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  deleteLabels,
  findGroupLabelsByTitle,
  findLabelsByTitle,
  insertLabel,
  isUniqueViolation,
  type LabelRef,
  type LabelRow,
  setLabelPriority,
  type Transaction,
  updateLabel,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import { setSubscription } from '../subscriptions/subscription.service.ts'

/** Where a label is made or changed: a project, with its namespace, or a group. */
export type LabelPlace = { projectId: number; namespaceId: number } | { groupId: number }

/** What is sent of a label; what is undefined stays. */
export interface LabelInput {
  title?: string | undefined
  color?: string | undefined
  description?: string | undefined
  /** In the project; null takes it. */
  priority?: number | null | undefined
}

/** The labels of this title that the place has already, its own or of a group above. One query. */
function findNamesakes(app: App, place: LabelPlace, title: string): Promise<LabelRef[]> {
  const titles = [title]
  return 'groupId' in place
    ? findGroupLabelsByTitle(app.db, { ...place, titles })
    : findLabelsByTitle(app.db, { ...place, titles })
}

/** The texts as they are kept. @throws DomainError `validation_failed` */
function cleaned({ title, color, description }: LabelInput): LabelTexts {
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
 * Makes a label (catalogue: planning, 4.1 and 4.2).
 * @throws DomainError `validation_failed`, `conflict` where the place or a group above has one of the title.
 */
export async function createLabel(
  app: App,
  place: LabelPlace,
  input: LabelInput & { title: string; color: string },
): Promise<LabelRow> {
  const { title = '', color = '', description = null } = cleaned(input)
  if ((await findNamesakes(app, place, title)).length > 0) throw taken()
  const owner = 'groupId' in place ? { projectId: null, ...place } : { ...place, groupId: null }
  const { projectId, groupId } = owner
  const label = { projectId, groupId, title, color, description, createdAt: app.now() }
  return app.db.transaction(async (tx) => {
    const row = await insertLabel(tx, label)
    if (row === undefined) throw taken()
    await prioritize(tx, row, place, input.priority)
    return row
  })
}

function taken(): DomainError {
  return conflict('Label already exists')
}

async function prioritize(
  tx: Transaction,
  label: LabelRow,
  place: LabelPlace,
  priority: number | null | undefined,
): Promise<void> {
  if (priority === undefined || 'groupId' in place) return
  await setLabelPriority(tx, { projectId: place.projectId, labelId: label.id, priority })
}

/**
 * Changes a label of the place.
 * @throws DomainError `invalid_parameter` where nothing is to change, `validation_failed`, `not_found` where it has
 *   gone meanwhile.
 */
export async function changeLabel(
  app: App,
  place: LabelPlace,
  label: LabelRow,
  input: LabelInput,
): Promise<LabelRow> {
  if (Object.values(input).every((value) => value === undefined)) throw nothingToChange(place)
  const { title = label.title, color = label.color, description } = cleaned(input)
  if (title !== label.title) {
    const others = await findNamesakes(app, place, title)
    if (others.length > 0) throw titleTaken()
  }
  const kept = description === undefined ? label.description : description
  const change = { id: label.id, title, color, description: kept, updatedAt: app.now() }
  try {
    return await app.db.transaction(async (tx) => {
      const row = await updateLabel(tx, change)
      if (row === undefined) throw notFound('Label')
      await prioritize(tx, row, place, input.priority)
      return row
    })
  } catch (error) {
    throw isUniqueViolation(error) ? titleTaken() : error
  }
}

function nothingToChange(place: LabelPlace): DomainError {
  const names = ['new_name', 'color', 'description', ...('groupId' in place ? [] : ['priority'])]
  return invalidParameter(
    `${names.join(', ')} are missing, at least one parameter must be provided`,
  )
}

function titleTaken(): DomainError {
  return validationFailed({ title: ['has already been taken'] })
}

/**
 * Deletes a label: everything that had it loses it, and its events stay without it.
 * @throws DomainError `precondition_failed`
 */
export async function removeLabel(
  app: App,
  label: LabelRow,
  headers: IncomingHttpHeaders,
): Promise<void> {
  requireUnmodified(headers, label.updatedAt)
  await app.db.transaction((tx) => deleteLabels(tx, [label.id]))
}

/** Subscribes the caller to a label, or ends that. @throws DomainError `not_modified` where it was so. */
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
