import {
  badRequest,
  DomainError,
  forbidden,
  mapLine,
  replaceLines,
  type Suggestion,
  suggestedRange,
} from '@stithy/core'
import {
  createCommit,
  findBranch,
  findEntry,
  isLimit,
  isNotFound,
  type Repository,
  readLineChanges,
  TreeChangeError,
} from '@stithy/git'
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
  ref: string
  tip: string
  place: SuggestedPlace
  text: string
}

/** Pushes to the source branch that one call tolerates. */
const attempts = 5

/**
 * Commits a suggestion to the source branch, with the checks and effects of a push. The branch may
 * have other commits than the version that the suggestion was last compared with, as long as they
 * leave its lines alone.
 * @throws DomainError `forbidden` for callers who may not push to the branch; `bad_request` if it
 * is not appliable, or the file is missing or was changed.
 */
export async function applySuggestion(
  app: App,
  caller: Caller,
  { row, item }: SuggestionSubject,
  signal: AbortSignal,
): Promise<Suggestion> {
  const subject = await requireSource(app, caller, item)
  const place = placeOf(positionOf(row))
  const isOpen = item.row.state === 'opened'
  if (!isOpen || place === undefined || !isAppliable(row)) throw notAppliable()
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const file = await findFile(app, subject, item.row.sourceBranch, place, signal)
    if (!hasLines(file.text, file.place, row)) throw changed()
    const { line } = file.place
    const content = replaceLines(file.text, suggestedRange(line, row), row.toContent)
    const commitId = await commit(app, caller, subject, file, content)
    if (commitId === undefined) continue
    await app.db.transaction((tx) => markSuggestionApplied(tx, { id: row.id, commitId }))
    return presentSuggestion({ ...row, commitId }, { line, isOpen })
  }
  throw changed()
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

/** @throws DomainError `bad_request` */
async function findFile(
  app: App,
  subject: ProjectSubject,
  branch: string,
  place: SuggestedPlace,
  signal: AbortSignal,
): Promise<SourceFile> {
  const repository = repositoryOf(app, subject.row)
  const tip = (await findBranch(app.git, repository, branch))?.oid
  if (tip === undefined) throw notFoundFile()
  const now = await followPlace(app, repository, place, tip, signal)
  const path = now?.new_path ?? place.new_path
  const entry = await findEntry(app.git, repository, tip, path)
  if (entry?.type !== 'blob') throw notFoundFile()
  const text = now && (await readText(app, subject.row, tip, path))
  if (now === undefined || text === undefined) throw changed()
  return { ref: `refs/heads/${branch}`, tip, place: now, text }
}

/** Where the line of a place is at a later commit; undefined if it was changed. */
async function followPlace(
  app: App,
  repository: Repository,
  place: SuggestedPlace,
  tip: string,
  signal: AbortSignal,
): Promise<SuggestedPlace | undefined> {
  const { head_sha: head, new_path: path, line } = place
  if (head === tip) return place
  try {
    const options = { paths: [path], signal }
    const { files, overflow } = await readLineChanges(app.git, repository, head, tip, options)
    const file = files.find(({ oldPath }) => oldPath === path)
    if (file === undefined) return overflow ? undefined : { ...place, head_sha: tip }
    const moved = file.hunks && mapLine(file.hunks, line)
    return moved === undefined ? undefined : { head_sha: tip, new_path: file.newPath, line: moved }
  } catch (error) {
    // The branch was rewritten, and the commit is gone from it.
    if (isLimit(error) || isNotFound(error)) return undefined
    throw error
  }
}

/**
 * Returns the id of the commit; undefined if somebody else pushed in the meantime.
 * @throws DomainError `bad_request`
 */
async function commit(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  { ref, tip, place: { new_path: path } }: SourceFile,
  content: string,
): Promise<string | undefined> {
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
    if (error instanceof DomainError && (await hasMoved(app, subject, ref, tip))) return undefined
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

function notFoundFile(): DomainError {
  return badRequest('The file was not found')
}
