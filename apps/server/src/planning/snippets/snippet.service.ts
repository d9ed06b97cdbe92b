import { notFound, snippetProblems, type Visibility, validationFailed } from '@stithy/core'
import {
  deleteSnippet,
  deleteSnippets,
  dependentsAtOnce,
  findSnippetContent,
  insertSnippet,
  listSnippetIdsOf,
  type SnippetChanges,
  type Transaction,
  updateSnippet,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { assertNotRestricted } from '../../platform/settings/restricted-visibility.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { SnippetItem } from '../items/item.ts'
import { deleteItem, deleteItemDependents } from '../items/item-removal.ts'

/** The input of a snippet. Existing clients send the content under either name. */
export interface SnippetInput {
  title?: string | undefined
  file_name?: string | undefined
  content?: string | undefined
  code?: string | undefined
  description?: string | undefined
  visibility?: Visibility | undefined
}

/**
 * Creates a snippet in a project, or a personal one if `project` is undefined.
 * @throws DomainError `validation_failed`
 */
export async function createSnippet(
  app: App,
  caller: Caller,
  project: ProjectSubject | undefined,
  input: SnippetInput & { title: string; file_name: string },
): Promise<SnippetItem> {
  const content = input.content ?? input.code ?? ''
  const texts = {
    title: input.title,
    fileName: input.file_name,
    description: input.description || null,
    content,
  }
  validateTexts(texts)
  const visibility = chosenVisibility(app, caller, input.visibility)
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
 * Changes a snippet that the caller may update.
 * @throws DomainError `validation_failed`, `not_found`
 */
export async function changeSnippet(
  app: App,
  caller: Caller,
  item: SnippetItem,
  input: SnippetInput,
): Promise<SnippetItem> {
  const { content = input.code, visibility } = input
  const changes: SnippetChanges = {
    ...(input.title === undefined ? {} : { title: input.title }),
    ...(input.file_name === undefined ? {} : { fileName: input.file_name }),
    ...(input.description === undefined ? {} : { description: input.description || null }),
    ...(content === undefined ? {} : { content }),
  }
  validateTexts(changes)
  if (visibility !== undefined && visibility !== item.row.visibility) {
    changes.visibility = chosenVisibility(app, caller, visibility)
  }
  const now = app.now()
  const { id } = item.row
  if (!(await app.db.transaction((tx) => updateSnippet(tx, id, changes, now)))) {
    throw notFound('Snippet')
  }
  const { content: _, ...columns } = changes
  return { ...item, row: { ...item.row, ...columns, updatedAt: now } }
}

/**
 * Deletes a snippet that the user may delete, with its notes, awards and other dependents.
 * @throws DomainError `not_found`
 */
export async function removeSnippet(
  app: App,
  { userId }: ItemChangeBy,
  { row: { id } }: SnippetItem,
): Promise<undefined> {
  await deleteItem(app, { type: 'snippet', id, userId }, async (tx, limit) => {
    const count = await deleteItemDependents(tx, { type: 'snippet', ids: [id], limit })
    if (count < limit && !(await deleteSnippet(tx, id))) throw notFound('Snippet')
    return count
  })
  return undefined
}

/** Deletes up to `limit` personal snippets of a user; returns `limit` if there may be more. */
export async function removeSnippetsOf(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const ids = await listSnippetIdsOf(tx, args)
  if (ids.length === 0) return 0
  const dependents = { type: 'snippet', ids, limit: dependentsAtOnce } as const
  if ((await deleteItemDependents(tx, dependents)) === dependentsAtOnce) return args.limit
  await deleteSnippets(tx, ids)
  return ids.length
}

/** @throws DomainError `not_found` */
export async function requireContent(app: App, { row }: SnippetItem): Promise<string> {
  const content = await findSnippetContent(app.db, row.id)
  if (content === undefined) throw notFound('Snippet')
  return content
}

/** @throws DomainError `validation_failed` */
function validateTexts(texts: Parameters<typeof snippetProblems>[0]): void {
  const problems = snippetProblems(texts)
  if (Object.keys(problems).length > 0) throw validationFailed(problems)
}

/**
 * The requested visibility, or the default of the instance settings. Restricted levels are refused
 * except for administrators.
 */
function chosenVisibility(app: App, caller: Caller, requested: Visibility | undefined): Visibility {
  const chosen = requested ?? app.settings.default_snippet_visibility
  assertNotRestricted(app, caller, chosen)
  return chosen
}
