import {
  badRequest,
  conflictingName,
  isBranchOrTagName,
  nameMatcher,
  notFound,
  protectionFinder,
  type RefUpdate,
  tagMessage,
} from '@stithy/core'
import {
  findTag,
  listRefs,
  listRefsByDate,
  type Ref,
  readCommit,
  readTag,
  readWholeTag,
  writeTag,
} from '@stithy/git'
import { findTagReleases, listProtections, type Page, type PageRequest } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { protectionsOf } from '../protected-refs/ref-access.service.ts'
import { changeRefs, type RefusalStyle, requireRefUpdates } from '../pushes/ref-change.service.ts'
import { resolveRef, type SourceRepository } from '../revisions/revision.service.ts'
import { releaseDescription } from './release-description.ts'
import type { TagView } from './tag-view.ts'

/** What is needed of a project to read its tags and their releases. */
export interface TaggedRepository extends SourceRepository {
  id: number
}

export interface TagFilter {
  order_by: 'updated' | 'name'
  sort: 'asc' | 'desc'
  search?: string | undefined
}

/** The project whose tags change, and the caller; refusals of the rules are 400. */
export interface TagChange extends RefusalStyle {
  subject: ProjectSubject
  caller: Caller
}

/** Lists tags; none in an empty repository. Two queries, and no git process while nothing moves. */
export async function findTags(
  app: App,
  project: TaggedRepository,
  filter: TagFilter,
  request: PageRequest,
): Promise<Page<TagView>> {
  const list = filter.order_by === 'name' ? listRefs : listRefsByDate
  const refs: readonly Ref[] = await list(app.git, repositoryOf(app, project), 'tags')
  const matches = filter.search ? nameMatcher(filter.search) : undefined
  const found = matches === undefined ? refs : refs.filter(({ name }) => matches(name))
  const page = slicePage(filter.sort === 'desc' ? found.toReversed() : found, request)
  return { ...page, items: await completeTags(app, project, page.items) }
}

/** Finds a tag. @throws DomainError `not_found`. */
export async function requireTag(
  app: App,
  project: TaggedRepository,
  name: string,
): Promise<TagView> {
  const ref = await findTag(app.git, repositoryOf(app, project), name)
  const [tag] = ref === undefined ? [] : await completeTags(app, project, [ref], readWholeTag)
  if (tag === undefined) throw notFound('Tag')
  return tag
}

async function completeTags(
  app: App,
  project: TaggedRepository,
  refs: readonly Ref[],
  readAnnotation: typeof readTag = readTag,
): Promise<TagView[]> {
  const tags = refs.map(({ name }) => name)
  const rows = await findTagReleases(app.db, { projectId: project.id, tags })
  const releases = new Map(
    rows.map((row) => [row.tag, { tag: row.tag, description: releaseDescription(app, row) }]),
  )
  const protections = protectionsOf(await listProtections(app.db, project.id), 'tag')
  const protecting = protectionFinder(protections)
  return Promise.all(
    refs.map(async (ref) => ({
      ...(await readObjects(app, project, ref, readAnnotation)),
      release: releases.get(ref.name),
      protected: protecting(ref.name).length > 0,
    })),
  )
}

async function readObjects(
  app: App,
  project: TaggedRepository,
  { name, oid, peeled }: Ref,
  readAnnotation: typeof readTag,
) {
  const repository = repositoryOf(app, project)
  const [annotation, commit] = await Promise.all([
    peeled === undefined ? undefined : readAnnotation(app.git, repository, oid),
    readCommit(app.git, repository, peeled ?? oid),
  ])
  const message = annotation === undefined ? null : tagMessage(annotation.message)
  return { name, oid, message, commit }
}

/**
 * Creates a tag: with a message an annotated one by the caller, otherwise a lightweight one. `ref`
 * is a commit, branch or tag.
 * @throws DomainError `bad_request` for an invalid or taken name, an unknown ref and when a rule
 * forbids it.
 */
export async function createTag(
  app: App,
  change: TagChange,
  request: { name: string; ref: string; message?: string | undefined },
): Promise<TagView> {
  const { row } = change.subject
  const { name, message = '' } = request
  await requireFreeName(app, row, name)
  const commit = await resolveRef(app, row, request.ref)
  if (commit === undefined || request.ref === '') throw badRequest('The ref does not exist')
  const update: RefUpdate = { ref: `refs/tags/${name}`, before: null, after: commit }
  const style: RefusalStyle = { refusedAs: 'bad_request', ...change }
  await requireRefUpdates(app, { ...change, ...style, updates: [update], via: 'api' })
  const after =
    message.trim() === '' ? commit : await annotate(app, change, { name, commit, message })
  await changeRefs(app, { ...change, ...style, updates: [{ ...update, after }] })
  return requireTag(app, row, name)
}

async function requireFreeName(app: App, project: TaggedRepository, name: string): Promise<void> {
  if (!isBranchOrTagName(name)) throw badRequest('The tag name is invalid')
  const names = (await listRefs(app.git, repositoryOf(app, project), 'tags')).map((ref) => ref.name)
  if (names.includes(name)) throw badRequest(`The tag ${name} already exists`)
  const clash = conflictingName(name, names)
  if (clash !== undefined)
    throw badRequest(`The tag name ${name} conflicts with the existing tag ${clash}`)
}

function annotate(
  app: App,
  { subject, caller }: TagChange,
  { name, commit, message }: { name: string; commit: string; message: string },
): Promise<string> {
  const { name: person = '', email = '' } = caller.user ?? {}
  return writeTag(app.git, repositoryOf(app, subject.row), {
    name,
    target: commit,
    message,
    tagger: { name: person, email, date: new Date(app.now()) },
  })
}

/**
 * Deletes a tag; recording the push deletes its release (push.service.ts).
 * @throws DomainError `bad_request` when a rule forbids it or the tag moved meanwhile.
 */
export async function removeTag(app: App, change: TagChange, tag: TagView): Promise<void> {
  const update: RefUpdate = { ref: `refs/tags/${tag.name}`, before: tag.oid, after: null }
  await changeRefs(app, { refusedAs: 'bad_request', ...change, updates: [update] })
}
