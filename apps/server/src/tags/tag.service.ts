import {
  badRequest,
  clashingName,
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
  writeTag,
} from '@stithy/git'
import { findTagReleases, listProtections, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { protectionsOf } from '../pushes/ref-access.service.ts'
import { changeRefs, type RefusalStyle, requireRefUpdates } from '../pushes/ref-change.service.ts'
import {
  type CodePlace,
  repositoryOf,
  resolveRef,
  slicePage,
} from '../repositories/repository.service.ts'
import type { FoundTag } from './tag-found.ts'

/** Where tags are, and what their releases are found by. */
export interface TagPlace extends CodePlace {
  id: number
}

export interface TagFilter {
  order_by: 'updated' | 'name'
  sort: 'asc' | 'desc'
  search?: string | undefined
}

/** Who changes the tags of which project; refusals of the rules are 400 (catalogue: repository, 7). */
export interface TagChange extends RefusalStyle {
  subject: ProjectSubject
  caller: Caller
}

/** One page of tags; none in an empty repository. Two queries, and no git process while nothing moves. */
export async function findTags(
  app: App,
  place: TagPlace,
  filter: TagFilter,
  request: PageRequest,
): Promise<Page<FoundTag>> {
  const list = filter.order_by === 'name' ? listRefs : listRefsByDate
  const refs: readonly Ref[] = await list(app.git, repositoryOf(app, place), 'tags')
  const matches = filter.search ? nameMatcher(filter.search) : undefined
  const found = matches === undefined ? refs : refs.filter(({ name }) => matches(name))
  const page = slicePage(filter.sort === 'desc' ? found.toReversed() : found, request)
  return { ...page, items: await completeTags(app, place, page.items) }
}

/** One tag. @throws DomainError `not_found`. */
export async function requireTag(app: App, place: TagPlace, name: string): Promise<FoundTag> {
  const ref = await findTag(app.git, repositoryOf(app, place), name)
  const [tag] = ref === undefined ? [] : await completeTags(app, place, [ref])
  if (tag === undefined) throw notFound('Tag')
  return tag
}

async function completeTags(app: App, place: TagPlace, refs: readonly Ref[]): Promise<FoundTag[]> {
  const tags = refs.map(({ name }) => name)
  const rows = await findTagReleases(app.db, { projectId: place.id, tags })
  const releases = new Map(rows.map((row) => [row.tag, row]))
  const protections = protectionsOf(await listProtections(app.db, place.id), 'tag')
  const protecting = protectionFinder(protections)
  return Promise.all(
    refs.map(async (ref) => ({
      ...(await readObjects(app, place, ref)),
      release: releases.get(ref.name),
      protected: protecting(ref.name).length > 0,
    })),
  )
}

async function readObjects(app: App, place: TagPlace, { name, oid, peeled }: Ref) {
  const repository = repositoryOf(app, place)
  const [annotation, commit] = await Promise.all([
    peeled === undefined ? undefined : readTag(app.git, repository, oid),
    readCommit(app.git, repository, peeled ?? oid),
  ])
  const message = annotation === undefined ? null : tagMessage(annotation.message)
  return { name, oid, message, commit }
}

/**
 * Makes a tag: with a message an annotated one by the caller, otherwise a lightweight one. `ref` is a
 * commit, branch or tag.
 * @throws DomainError `bad_request` for a bad or taken name, an unknown ref and where a rule is against it.
 */
export async function createTag(
  app: App,
  change: TagChange,
  request: { name: string; ref: string; message?: string | undefined },
): Promise<FoundTag> {
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

async function requireFreeName(app: App, place: TagPlace, name: string): Promise<void> {
  if (!isBranchOrTagName(name)) throw badRequest('The tag name is invalid')
  const names = (await listRefs(app.git, repositoryOf(app, place), 'tags')).map((ref) => ref.name)
  if (names.includes(name)) throw badRequest(`The tag ${name} already exists`)
  const clash = clashingName(name, names)
  if (clash !== undefined) throw badRequest(`The tag ${clash} leaves no room for ${name}`)
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
 * Deletes a tag; its release goes with the record of that (push.service.ts).
 * @throws DomainError `bad_request` where a rule is against it or the tag moved meanwhile.
 */
export async function removeTag(app: App, change: TagChange, tag: FoundTag): Promise<void> {
  const update: RefUpdate = { ref: `refs/tags/${tag.name}`, before: tag.oid, after: null }
  await changeRefs(app, { refusedAs: 'bad_request', ...change, updates: [update] })
}
