import { importUrlErrors, validationFailed } from '@stithy/core'
import { enqueueJob, saveProjectImport, setImportStatus, type Transaction } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { importQueue } from '../../platform/jobs/queues.ts'
import { isBlockedHost } from '../../platform/outbound/address.ts'

/** Job kind: imports a repository from another server. */
export const importRepositoryKind = 'repository.import'

/**
 * Checks `import_url`; undefined when it is absent or blank. Names are checked when they are
 * resolved.
 * @throws DomainError `validation_failed`
 */
export function readImportUrl(app: App, url: string | undefined): URL | undefined {
  const errors = importUrlErrors(url)
  if (errors.length > 0) throw validationFailed({ import_url: errors })
  const trimmed = url?.trim() ?? ''
  if (trimmed === '') return undefined
  if (!app.settings.import_sources.includes('git')) {
    const text = 'is not allowed: imports from other servers are switched off'
    throw validationFailed({ import_url: [text] })
  }
  const parsed = new URL(trimmed)
  if (isBlockedHost(app, parsed.hostname)) {
    throw validationFailed({
      import_url: ['is blocked: requests to the local network are not allowed'],
    })
  }
  return parsed
}

/** What the password of an import is encrypted for. */
export function importPurpose(projectId: number): string {
  return `import of project ${projectId}`
}

/** Schedules the import of a project's repository. */
export async function scheduleImport(
  { secrets }: App,
  tx: Transaction,
  { projectId, url, now }: { projectId: number; url: URL; now: number },
): Promise<void> {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  const { username } = url
  const password = url.password && secrets.seal(url.password, importPurpose(projectId))
  await saveProjectImport(tx, { projectId, url: plain.href, username, password })
  await setImportStatus(tx, { projectId, status: 'scheduled', error: null })
  const job = { queue: importQueue, kind: importRepositoryKind, payload: { projectId } }
  await enqueueJob(tx, job, now)
}
