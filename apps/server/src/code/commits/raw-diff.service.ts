import type { RawDiffFormat } from '@stithy/core'
import { openRawDiff } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import type { Caller, RawResponse } from '../../platform/http/call.ts'
import { inClientSlot } from '../../platform/http/output-slots.ts'
import { sandboxHeaders } from '../../platform/http/sandbox.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import type { CountedRepository } from './commit-count.service.ts'

/** A read of a diff. */
export interface RawDiffRequest {
  app: App
  caller: Pick<Caller, 'user'>
  method: string
  project: CountedRepository
  query: { format: RawDiffFormat }
  signal: () => AbortSignal
}

/**
 * Streams what differs between two commits; what the second one has where there is no first one. It
 * takes a slot of archives.
 * @throws DomainError `too_many_requests`; GitError of limits before the first byte.
 */
export async function sendRawDiff(
  { app, caller, method, project, query: { format }, signal: signalOf }: RawDiffRequest,
  commits: { from: string | undefined; to: string },
): Promise<RawResponse> {
  if (method === 'HEAD') return { headers: rawDiffHeaders, body: null }
  const { rawDiff, archive } = codeLimitsOf(app)
  const signal = signalOf()
  const options = {
    format,
    timeoutMs: rawDiff.timeoutMs,
    maxOutputBytes: rawDiff.maxBytes,
    cpuSeconds: rawDiff.cpuSeconds,
    stallMs: archive.stallMs,
    signal,
  }
  const body = await inClientSlot(app, { project, caller }, signal, () =>
    openRawDiff(app.git, repositoryOf(app, project), commits, options),
  )
  return { headers: rawDiffHeaders, body }
}

/** A browser shows the text, and runs nothing of it. */
const rawDiffHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'content-disposition': 'inline',
  ...sandboxHeaders,
}
