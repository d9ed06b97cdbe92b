import type { repositoryContract } from '@stithy/core'
import { listLanguages } from '@stithy/store'
import type { Call, Handlers, RawResponse } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { presentCommit } from '../commits/commit.presenter.ts'
import { contentHeaders } from '../files/content.presenter.ts'
import { blobContent, readEncoded } from '../files/content.service.ts'
import { archiveHeaders } from './archives/archive.presenter.ts'
import { packArchive, requireArchive } from './archives/archive.service.ts'
import { isText, requireBlob } from './blob.service.ts'
import { compareRefs, requireBase } from './comparisons/compare.service.ts'
import { findContributors } from './contributors/contributor.service.ts'
import {
  presentBlob,
  presentComparison,
  presentContributors,
  presentLanguages,
  presentTree,
} from './repository.presenter.ts'
import { listDirectory } from './repository.service.ts'

export const repositoryHandlers: Handlers<typeof repositoryContract> = {
  async tree({ app, subject, query, page }) {
    const found = await listDirectory(app, subject.row, query, page)
    return { ...found, items: presentTree(found.items) }
  },

  async blob({ app, subject, params }) {
    const blob = await requireBlob(app, subject.row, params.sha)
    return presentBlob(blob, await readEncoded(app, subject.row, blob))
  },

  async rawBlob({ app, caller, subject, params, signal }) {
    const blob = await requireBlob(app, subject.row, params.sha)
    const repository = repositoryOf(app, subject.row)
    return blobContent({ app, caller, subject, signal, repository }, blob, async () =>
      contentHeaders({ text: await isText(app, repository, blob) }, blob.oid),
    )
  },

  async archive(call) {
    return archive(call, 'tar.gz')
  },

  async archiveAs(call) {
    return archive(call, call.params.format)
  },

  async compare({ app, subject, query, signal }) {
    return presentComparison(await compareRefs(app, subject.row, query, signal()))
  },

  async contributors({ app, subject, query, page }) {
    const found = await findContributors(app, subject.row, query, page)
    return { ...found, items: presentContributors(found.items) }
  },

  async mergeBase({ app, subject, query }) {
    return presentCommit(await requireBase(app, subject.row, query.refs))
  },

  async languages({ app, subject }) {
    return presentLanguages(await listLanguages(app.db, subject.row.id))
  },
}

type ArchiveCall = Pick<
  Call<typeof repositoryContract.archive>,
  'app' | 'caller' | 'subject' | 'query' | 'method' | 'signal'
>

async function archive(call: ArchiveCall, suffix: string): Promise<RawResponse> {
  const { app, caller, subject, query, method, signal } = call
  const found = await requireArchive(app, subject.row, suffix, query.sha)
  const headers = archiveHeaders(found)
  if (method === 'HEAD') return { headers, body: null }
  const request = { project: subject.row, caller }
  return { headers, body: await packArchive(app, request, found, signal()) }
}
