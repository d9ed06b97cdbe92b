import {
  duplicateErrors,
  type FieldErrors,
  type NewReleaseLink,
  notFound,
  releaseLinkErrors,
  validationFailed,
} from '@stithy/core'
import {
  deleteReleaseLink,
  findReleaseLink,
  findTakenLinkFields,
  insertReleaseLink,
  isUniqueViolation,
  type ReleaseLinkRow,
  type ReleaseRow,
  type Transaction,
  updateReleaseLink,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** Validates the links of one request. @throws DomainError `validation_failed`. */
export function requireValidLinks(links: readonly NewReleaseLink[]): void {
  for (const link of links) requireValidLink(link)
  const errors = duplicateErrors(links)
  if (errors !== undefined) throw validationFailed(errors)
}

function requireValidLink(link: Partial<NewReleaseLink>): void {
  const errors = releaseLinkErrors(link)
  if (errors !== undefined) throw validationFailed(errors)
}

/** Finds a link of a release. @throws DomainError `not_found`. */
export async function requireReleaseLink(
  app: App,
  releaseId: number,
  id: number,
): Promise<ReleaseLinkRow> {
  const link = await findReleaseLink(app.db, { releaseId, id })
  if (link === undefined) throw notFound('Link')
  return link
}

/** Adds a link to a release. @throws DomainError `validation_failed`. */
export async function addReleaseLink(
  app: App,
  { id: releaseId }: ReleaseRow,
  { name, url }: NewReleaseLink,
): Promise<ReleaseLinkRow> {
  requireValidLink({ name, url })
  return rejectDuplicates(() =>
    app.db.transaction(async (tx) => {
      await requireFree(tx, { releaseId, name, url, exceptId: 0 })
      return insertReleaseLink(tx, { releaseId, name, url, createdAt: app.now() })
    }),
  )
}

/**
 * Changes a link.
 * @throws DomainError `validation_failed`, `not_found`.
 */
export async function changeReleaseLink(
  app: App,
  link: ReleaseLinkRow,
  edit: { name?: string | undefined; url?: string | undefined },
): Promise<ReleaseLinkRow> {
  const { name = link.name, url = link.url } = edit
  requireValidLink({ name, url })
  const { id, releaseId } = link
  const row = await rejectDuplicates(() =>
    app.db.transaction(async (tx) => {
      await requireFree(tx, { releaseId, name, url, exceptId: id })
      return updateReleaseLink(tx, { id, name, url, updatedAt: app.now() })
    }),
  )
  if (row === undefined) throw notFound('Link')
  return row
}

/** Deletes a link. @throws DomainError `not_found` if it was deleted concurrently. */
export async function removeReleaseLink(app: App, { id }: ReleaseLinkRow): Promise<void> {
  const removed = await app.db.transaction((tx) => deleteReleaseLink(tx, id))
  if (!removed) throw notFound('Link')
}

async function requireFree(
  tx: Transaction,
  link: { releaseId: number; name: string; url: string; exceptId: number },
): Promise<void> {
  const fields = await findTakenLinkFields(tx, link)
  if (fields.length > 0) throw validationFailed(takenErrors(fields))
}

/** Concurrent requests pass the check above; the unique index refuses the later one. */
async function rejectDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw validationFailed(takenErrors(error.columns.filter((column) => column !== 'releaseId')))
  }
}

function takenErrors(fields: readonly string[]): FieldErrors {
  return Object.fromEntries(fields.map((field) => [field, ['has already been taken']]))
}
