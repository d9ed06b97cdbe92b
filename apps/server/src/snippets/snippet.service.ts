import type { IncomingHttpHeaders } from 'node:http'
import {
  invalidParameter,
  notFound,
  snippetProblems,
  type Visibility,
  validationFailed,
  visibilities,
} from '@stithy/core'
import {
  deleteSnippet,
  deleteSnippets,
  findSettings,
  findSnippetContent,
  insertSnippet,
  listSnippetIdsOf,
  type SnippetChanges,
  updateSnippet,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { SnippetItem } from '../items/item.ts'
import { removeItemLeavings } from '../items/item-removal.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { requireCaller } from '../projects/require-caller.ts'

/** What callers send of a snippet; the content under either name (decisions, What existing clients do). */
export interface SnippetInput {
  title?: string | undefined
  file_name?: string | undefined
  content?: string | undefined
  code?: string | undefined
  description?: string | undefined
  visibility?: Visibility | undefined
}

/**
 * Writes a snippet into a project, or a personal one where that is undefined.
 * @throws DomainError `invalid_parameter`, `validation_failed`
 */
export async function createSnippet(
  app: App,
  caller: Caller,
  project: ProjectSubject | undefined,
  input: SnippetInput & { title: string; file_name: string },
): Promise<SnippetItem> {
  const content = input.content ?? input.code
  if (content === undefined) throw invalidParameter('content is missing')
  const texts = {
    title: input.title,
    fileName: input.file_name,
    description: input.description || null,
    content,
  }
  checkTexts(texts)
  const visibility = await chosenVisibility(app, caller, input.visibility)
  const now = app.now()
  const stored = {
    ...texts,
    visibility,
    projectId: project?.row.id ?? null,
    authorId: requireCaller(caller).id,
    createdAt: now,
    updatedAt: now,
  }
  const id = await app.db.transaction((tx) => insertSnippet(tx, stored))
  const { content: _, ...row } = stored
  return { type: 'snippet', row: { ...row, id }, project }
}

/**
 * Changes a snippet that the caller may update. @param needed one of these must be sent
 * @throws DomainError `invalid_parameter`, `validation_failed`, `not_found`
 */
export async function changeSnippet(
  app: App,
  caller: Caller,
  item: SnippetItem,
  input: SnippetInput,
  needed: readonly (keyof SnippetInput)[],
): Promise<SnippetItem> {
  const { content = input.code, visibility } = input
  if (needed.every((name) => ({ ...input, content })[name] === undefined)) {
    const names = needed.join(', ')
    throw invalidParameter(`${names} are missing, at least one parameter must be provided`)
  }
  const changes: SnippetChanges = {
    ...(input.title === undefined ? {} : { title: input.title }),
    ...(input.file_name === undefined ? {} : { fileName: input.file_name }),
    ...(input.description === undefined ? {} : { description: input.description || null }),
    ...(content === undefined ? {} : { content }),
  }
  checkTexts(changes)
  if (visibility !== undefined && visibility !== item.row.visibility) {
    changes.visibility = await chosenVisibility(app, caller, visibility)
  }
  const now = app.now()
  const { id } = item.row
  if (!(await app.db.transaction((tx) => updateSnippet(tx, id, changes, now)))) {
    throw notFound('Snippet')
  }
  const { content: _, ...shown } = changes
  return { ...item, row: { ...item.row, ...shown, updatedAt: now } }
}

/**
 * Deletes a snippet that the caller may update, with all that hangs on it.
 * @throws DomainError `precondition_failed`, `not_found`
 */
export async function removeSnippet(
  app: App,
  { row: { id, updatedAt } }: SnippetItem,
  headers: IncomingHttpHeaders,
): Promise<undefined> {
  requireUnmodified(headers, updatedAt)
  await app.db.transaction(async (tx) => {
    await removeItemLeavings(tx, { type: 'snippet', ids: [id] })
    if (!(await deleteSnippet(tx, id))) throw notFound('Snippet')
  })
  return undefined
}

/** Deletes up to `limit` snippets of a user who goes for good; answers how many. */
export async function removeSnippetsOf(
  app: App,
  args: { userId: number; limit: number },
): Promise<number> {
  return app.db.transaction(async (tx) => {
    const ids = await listSnippetIdsOf(tx, args)
    if (ids.length === 0) return 0
    await removeItemLeavings(tx, { type: 'snippet', ids })
    await deleteSnippets(tx, ids)
    return ids.length
  })
}

/** @throws DomainError `not_found` */
export async function contentOf(app: App, { row }: SnippetItem): Promise<string> {
  const content = await findSnippetContent(app.db, row.id)
  if (content === undefined) throw notFound('Snippet')
  return content
}

/** @throws DomainError `validation_failed` */
function checkTexts(texts: Parameters<typeof snippetProblems>[0]): void {
  const problems = snippetProblems(texts)
  if (Object.keys(problems).length > 0) throw validationFailed(problems)
}

/**
 * The visibility asked for, or the instance's default (document 3, Settings; decisions: a snippet without
 * visibility). Levels that the instance keeps from all but administrators are refused.
 */
async function chosenVisibility(
  app: App,
  caller: Caller,
  asked: Visibility | undefined,
): Promise<Visibility> {
  const settings = await findSettings(app.db, [
    'default_snippet_visibility',
    'restricted_visibility_levels',
  ])
  const { default_snippet_visibility: byDefault, restricted_visibility_levels: kept } = settings
  const chosen = asked ?? visibilities.find((name) => name === byDefault) ?? 'private'
  if (Array.isArray(kept) && kept.includes(chosen) && !caller.facts.admin) {
    throw validationFailed({
      visibility_level: [`${chosen} has been restricted by your administrator`],
    })
  }
  return chosen
}
