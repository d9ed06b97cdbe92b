import { notFound, type snapshotsContract } from '@stithy/core'
import { openSnapshot, readHead, repositoryExists } from '@stithy/git'
import { requireProject } from '../../../directory/projects/project-subject.ts'
import type { Handlers } from '../../../platform/http/call.ts'
import { contentDisposition } from '../../../platform/http/content-disposition.ts'
import { inSlot } from '../../../platform/http/output-slots.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import { repositoryOf, wikiLocationOf } from '../../../platform/repositories/repository-location.ts'

export const snapshotHandlers: Handlers<typeof snapshotsContract> = {
  async show({ app, caller, params, query, method, signal }) {
    const { row } = await requireProject(app, params.id, caller)
    const isWiki = query.wiki === true
    const repository = repositoryOf(app, isWiki ? wikiLocationOf(row) : row)
    if (!(await repositoryExists(repository))) throw notFound('Repository')
    const headers = {
      'content-type': 'application/x-tar',
      'content-disposition': contentDisposition(
        'attachment',
        `${row.path}${isWiki ? '.wiki' : ''}.tar`,
      ),
    }
    if (method === 'HEAD') return { headers, body: null }
    const { stallMs } = app.config.codeLimits.archive
    const known = isWiki ? null : row.defaultBranch
    const defaultBranch = known ?? (await readHead(repository)) ?? 'main'
    const open = () => openSnapshot(app.git, repository, { defaultBranch, stallMs })
    return { headers, body: await inSlot(app, `user ${requireCaller(caller).id}`, signal(), open) }
  },
}
