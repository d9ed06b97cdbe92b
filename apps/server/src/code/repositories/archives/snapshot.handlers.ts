import { notFound, type snapshotsContract } from '@stithy/core'
import { openSnapshot, readHead, repositoryExists } from '@stithy/git'
import { requireProject } from '../../../directory/projects/project-subject.ts'
import type { Handlers } from '../../../platform/http/call.ts'
import { contentDisposition } from '../../../platform/http/content-disposition.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { inSlot } from './archive.service.ts'

export const snapshotHandlers: Handlers<typeof snapshotsContract> = {
  async show({ app, caller, params, query, method, signal }) {
    const { row } = await requireProject(app, params.id, caller)
    const repository = repositoryOf(app, row)
    // Wikis have no repositories.
    if (query.wiki === true || !(await repositoryExists(repository))) throw notFound('Repository')
    const headers = {
      'content-type': 'application/x-tar',
      'content-disposition': contentDisposition('attachment', `${row.path}.tar`),
    }
    if (method === 'HEAD') return { headers, body: null }
    const { stallMs } = app.config.codeLimits.archive
    const defaultBranch = row.defaultBranch ?? (await readHead(repository)) ?? 'main'
    const open = () => openSnapshot(app.git, repository, { defaultBranch, stallMs })
    return { headers, body: await inSlot(app, `user ${requireCaller(caller).id}`, signal(), open) }
  },
}
