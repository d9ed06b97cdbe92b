import { fetchRemote, GitError } from '@stithy/git'
import {
  findProjectImport,
  findRepository,
  type ProjectImport,
  setImportStatus,
} from '@stithy/store'
import { importPurpose } from '../../directory/imports/schedule-import.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { addressRule, isBlocked } from '../../platform/outbound/address.ts'
import { basicAuth } from '../../platform/outbound/basic-auth.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { maxInputBytes } from '../../platform/settings/code-settings.ts'
import { recordRepository } from '../pushes/repository-record.service.ts'
import { inTurn } from './import-turns.ts'
import { RemoteError } from './remote-error.ts'

/**
 * Imports branches, tags and default branch of another server's repository, and records the outcome
 * in `import_status`. A failure is not retried: the user may correct the URL. An import that the
 * server's shutdown interrupts starts again.
 */
export async function importRepository(
  app: App,
  projectId: number,
  signal: AbortSignal,
): Promise<void> {
  const source = await findProjectImport(app.db, projectId)
  if (source === undefined) return
  const { creatorId } = source
  await inTurn(app, { creatorId, projectId, signal }, () =>
    importFrom(app, projectId, source, signal),
  )
}

async function importFrom(
  app: App,
  projectId: number,
  source: ProjectImport,
  signal: AbortSignal,
): Promise<void> {
  await app.db.transaction((tx) =>
    setImportStatus(tx, { projectId, status: 'started', error: null }),
  )
  try {
    const defaultBranch = await fetchSource(app, projectId, source, signal)
    await recordRepository(app, projectId, {
      headBranch: defaultBranch,
      async record(tx, branch, now) {
        await setImportStatus(tx, { projectId, status: 'finished', error: null })
        const imported = { projectId, defaultBranch: branch }
        const by = { userId: null, at: now, now }
        await recordChange(tx, { kind: 'repository.imported', ...by, ...imported })
      },
    })
  } catch (error) {
    signal.throwIfAborted()
    app.log.warn({ project: projectId, reason: codeOf(error) }, 'an import failed')
    const status = { projectId, status: 'failed', error: sentenceOf(error) } as const
    await app.db.transaction((tx) => setImportStatus(tx, status))
  }
}

/** Returns the branch that HEAD of the source names; undefined if it names none. */
async function fetchSource(
  app: App,
  projectId: number,
  { url, username, password: stored }: ProjectImport,
  signal: AbortSignal,
): Promise<string | undefined> {
  const project = await findRepository(app.db, projectId)
  if (project === undefined) return undefined
  const isAllowed = addressRule(app)
  // A password of another key is none: the other server refuses the import.
  const password = stored && (app.secrets.open(stored, importPurpose(projectId)) ?? '')
  const { authorization } = basicAuth({ username, password })
  // With its HTTP client; a server that imports nothing need not load it.
  const { findRemote } = await import('./remote-advertisement.ts')
  const remote = await findRemote({ url, authorization, isAllowed, signal })
  if (remote.isEmpty) return undefined
  const maxPackBytes = maxInputBytes(app)
  await fetchRemote(app.git, repositoryOf(app, project), remote, {
    signal,
    ...(maxPackBytes === 0 ? {} : { maxPackBytes }),
  })
  return remote.defaultBranch
}

/** `import_error`; without the URL, and without what git says of it. */
function sentenceOf(error: unknown): string {
  if (error instanceof RemoteError) return `The repository ${error.message}.`
  if (isBlocked(error)) {
    return 'The repository is at an address that is not allowed.'
  }
  if (error instanceof GitError) return gitSentences[error.code] ?? 'The transfer failed.'
  const isTimeout = error instanceof Error && /Timeout/.test(error.name)
  return isTimeout ? 'The server did not answer in time.' : 'The server could not be reached.'
}

const gitSentences: Partial<Record<GitError['code'], string>> = {
  timeout: 'The transfer took too long.',
  output_limit: 'The repository is too large.',
  memory_limit: 'The repository needs too much memory.',
  corrupt: 'The repository is damaged.',
}

/** For the log: messages could quote the URL. */
function codeOf(error: unknown): string {
  if (error instanceof GitError) return `git ${error.code}`
  if (error instanceof RemoteError) return error.message
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
