import type { Suggestion } from '@stithy/core'
import { badRequest, DomainError, forbidden, replaceLines, suggestedRange } from '@stithy/core'
import { createCommit, findBranch, findEntry, TreeChangeError } from '@stithy/git'
import {
  fromJsonText,
  markSuggestionApplied,
  type PositionedSuggestion,
  type StoredPosition,
} from '@stithy/store'
import { callerIdentity } from '../../code/commits/writes/commit-author.ts'
import { loadBranchRights } from '../../code/protected-refs/ref-access.service.ts'
import { changeRefs } from '../../code/pushes/ref-change.service.ts'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import { isAppliable, presentSuggestion } from '../../planning/suggestions/suggestion.presenter.ts'
import {
  placeOf,
  readText,
  type SuggestedPlace,
} from '../../planning/suggestions/suggestion-plan.service.ts'
import { hasLines } from '../../planning/suggestions/suggestion-update.service.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { SuggestionSubject } from './suggestion-subject.ts'

const cannotPush = 'Cannot push to source branch'

/** The file that a suggestion changes, at the tip of the source branch. */
interface SourceFile {
  subject: ProjectSubject
  ref: string
  tip: string
  path: string
  text: string
}

/**
 * Commits a suggestion to the source branch, with the checks and effects of a push.
 * @throws DomainError `forbidden` for callers who may not push to the branch; `bad_request` if it
 * is not appliable, or the file is missing or was changed, also while it is applied.
 */
export async function applySuggestion(
  app: App,
  caller: Caller,
  { row, item }: SuggestionSubject,
): Promise<Suggestion> {
  const subject = await requireSource(app, caller, item)
  const place = placeOf(positionOf(row))
  const isOpen = item.row.state === 'opened'
  if (!isOpen || place === undefined || !isAppliable(row)) throw notAppliable()
  const file = await findFile(app, subject, item, place)
  if (!hasLines(file.text, place, row)) throw changed()
  const content = replaceLines(file.text, suggestedRange(place.line, row), row.toContent)
  const commitId = await commit(app, caller, file, content)
  await app.db.transaction((tx) => markSuggestionApplied(tx, { id: row.id, commitId }))
  return presentSuggestion({ ...row, commitId }, { line: place.line, isOpen })
}

function positionOf({ position }: PositionedSuggestion): StoredPosition | undefined {
  return position === null ? undefined : fromJsonText<StoredPosition>(position)
}

/** The project of the source branch. @throws DomainError `forbidden` */
async function requireSource(
  app: App,
  caller: Caller,
  { row: { sourceProjectId, sourceBranch } }: MergeRequestItem,
): Promise<ProjectSubject> {
  const subject =
    sourceProjectId === null ? undefined : await loadProject(app, String(sourceProjectId), caller)
  if (subject === undefined) throw forbidden(cannotPush)
  const rights = await loadBranchRights(app, { subject, caller })
  if (!rights(sourceBranch).canPush) throw forbidden(cannotPush)
  return subject
}

/**
 * Other files may have changed since the version that the suggestion was made for, or last compared
 * with.
 * @throws DomainError `bad_request`
 */
async function findFile(
  app: App,
  subject: ProjectSubject,
  { row: { sourceBranch }, project }: MergeRequestItem,
  { head_sha: head, new_path: path }: SuggestedPlace,
): Promise<SourceFile> {
  const repository = repositoryOf(app, subject.row)
  const tip = (await findBranch(app.git, repository, sourceBranch))?.oid
  const entry = tip === undefined ? undefined : await findEntry(app.git, repository, tip, path)
  if (tip === undefined || entry?.type !== 'blob') throw badRequest('The file was not found')
  const seen = await findEntry(app.git, repositoryOf(app, project.row), head, path)
  const text = seen?.oid === entry.oid ? await readText(app, subject.row, tip, path) : undefined
  if (text === undefined) throw changed()
  return { subject, ref: `refs/heads/${sourceBranch}`, tip, path, text }
}

/** Returns the id of the commit. @throws DomainError `bad_request` */
async function commit(
  app: App,
  caller: Caller,
  { subject, ref, tip, path }: SourceFile,
  content: string,
): Promise<string> {
  const repository = repositoryOf(app, subject.row)
  const author = callerIdentity(app, caller)
  try {
    const after = await createCommit(app.git, repository, {
      base: tip,
      parents: [tip],
      changes: [{ kind: 'write', path, content: Buffer.from(content), must: 'exist' }],
      message: `Apply suggestion to ${path}`,
      author,
      committer: author,
      mustChange: true,
    })
    await changeRefs(app, { subject, caller, updates: [{ ref, before: tip, after }] })
    return after
  } catch (error) {
    if (error instanceof TreeChangeError) throw notAppliable()
    if (error instanceof DomainError && (await hasMoved(app, subject, ref, tip))) throw changed()
    throw error
  }
}

/** Whether somebody else pushed in the meantime. */
async function hasMoved(
  app: App,
  { row }: ProjectSubject,
  ref: string,
  tip: string,
): Promise<boolean> {
  const branch = await findBranch(app.git, repositoryOf(app, row), ref.slice('refs/heads/'.length))
  return branch?.oid !== tip
}

function notAppliable(): DomainError {
  return badRequest('Suggestion is not appliable')
}

function changed(): DomainError {
  return badRequest('The file has been changed')
}
