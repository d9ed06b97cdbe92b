import {
  badRequest,
  conflict,
  DomainError,
  isBranchOrTagName,
  type NewReleaseLink,
  notFound,
  type ReleaseTexts,
  releaseErrors,
  validationFailed,
} from '@stithy/core'
import { findTag } from '@stithy/git'
import {
  deleteReleases,
  findRelease,
  insertRelease,
  insertReleaseLink,
  isUniqueViolation,
  type ReleaseRow,
  updateRelease,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { createTag, type TagChange } from '../tags/tag.service.ts'
import { requireValidLinks } from './release-link.service.ts'

/** A release to create for an existing tag. */
export interface ReleaseRequest {
  tag: string
  /** Default: the name of the tag. */
  name?: string | undefined
  description?: string | undefined
  /** Milliseconds since the epoch; default: now. */
  releasedAt?: number | undefined
  links?: readonly NewReleaseLink[] | undefined
}

/** Finds the release of a tag. @throws DomainError `not_found`. */
export async function requireRelease(
  app: App,
  projectId: number,
  tag: string,
): Promise<ReleaseRow> {
  const release = await findRelease(app.db, { projectId, tag })
  if (release === undefined) throw notFound('Release')
  return release
}

/** @throws DomainError `validation_failed`. */
export function requireValidRelease(texts: ReleaseTexts): void {
  const errors = releaseErrors(texts)
  if (errors !== undefined) throw validationFailed(errors)
}

/**
 * Creates a release, and its tag from `ref` if it does not exist. The release is validated
 * completely before the tag is created.
 * @throws DomainError `validation_failed`, `conflict` when the tag has a release, `unprocessable`
 * when neither tag nor `ref` is there, `bad_request` or `forbidden` when the tag cannot be created.
 */
export async function createRelease(
  app: App,
  change: TagChange,
  request: ReleaseRequest & { ref?: string | undefined },
): Promise<ReleaseRow> {
  const { row } = change.subject
  const { tag, ref = '', links = [] } = request
  requireValidRelease(request)
  requireValidLinks(links)
  if (await findRelease(app.db, { projectId: row.id, tag })) throw alreadyExists()
  if ((await findTag(app.git, repositoryOf(app, row), tag)) === undefined) {
    if (!isBranchOrTagName(tag)) throw badRequest('The tag name is invalid')
    if (ref === '') {
      throw new DomainError('unprocessable', { message: 'The tag does not exist: ref is required' })
    }
    const made = createTag(app, { ...change, refusedAs: 'forbidden' }, { name: tag, ref })
    await made.catch(async (error: unknown) => {
      // A concurrent request was faster: what counts is that the tag exists.
      if ((await findTag(app.git, repositoryOf(app, row), tag)) === undefined) throw error
    })
  }
  return addRelease(app, change, request)
}

function alreadyExists(): DomainError {
  return conflict('The release already exists')
}

/** Longest name that a release inherits from its tag; tag names may be longer. */
const maxDefaultName = 255

/** Records a release of an existing tag. @throws DomainError `conflict`. */
export async function addRelease(
  app: App,
  { subject, caller }: TagChange,
  { tag, name, description, releasedAt, links = [] }: ReleaseRequest,
): Promise<ReleaseRow> {
  const createdAt = app.now()
  const release = {
    projectId: subject.row.id,
    tag,
    name: name || tag.slice(0, maxDefaultName).toWellFormed(),
    description: description ?? null,
    authorId: caller.user?.id ?? null,
    createdAt,
    releasedAt: releasedAt ?? createdAt,
  }
  try {
    return await app.db.transaction(async (tx) => {
      const row = await insertRelease(tx, release)
      // The newest is shown first, so the first in the request is inserted last.
      for (const link of links.toReversed()) {
        await insertReleaseLink(tx, { ...link, releaseId: row.id, createdAt })
      }
      return row
    })
  } catch (error) {
    throw isUniqueViolation(error) ? alreadyExists() : error
  }
}

/** Changes of a release; undefined fields stay. */
export interface ReleaseEdit extends ReleaseTexts {
  releasedAt?: number | undefined
}

/**
 * Changes a release.
 * @throws DomainError `validation_failed`, `not_found` if it was deleted meanwhile.
 */
export async function changeRelease(
  app: App,
  release: ReleaseRow,
  edit: ReleaseEdit,
): Promise<ReleaseRow> {
  requireValidRelease(edit)
  const { name, description, releasedAt } = { ...release, ...definedIn(edit) }
  const changes = { name, description, releasedAt, updatedAt: app.now() }
  const row = await app.db.transaction((tx) => updateRelease(tx, release.id, changes))
  if (row === undefined) throw notFound('Release')
  return row
}

function definedIn({ name, description, releasedAt }: ReleaseEdit) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(releasedAt === undefined ? {} : { releasedAt }),
  }
}

/** Deletes a release and its links; the tag stays. */
export async function removeRelease(app: App, { projectId, tag }: ReleaseRow): Promise<void> {
  await app.db.transaction((tx) => deleteReleases(tx, { projectId, tags: [tag] }))
}
