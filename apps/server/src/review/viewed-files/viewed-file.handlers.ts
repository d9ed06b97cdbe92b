import type { viewedFilesContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { listMarkedFiles, markViewed, unmarkViewed } from './viewed-file.service.ts'

export const viewedFileHandlers: Handlers<typeof viewedFilesContract> = {
  async list({ app, caller, subject, query, signal }) {
    const viewing = { item: subject, userId: requireCaller(caller).id }
    return listMarkedFiles(app, viewing, query.version_id, signal())
  },

  async set({ app, caller, subject, params, body, signal }) {
    const viewing = { item: subject, userId: requireCaller(caller).id }
    const file = { path: params.file_path, versionId: body.version_id }
    return markViewed(app, viewing, file, signal())
  },

  async remove({ app, caller, subject, params }) {
    const viewing = { item: subject, userId: requireCaller(caller).id }
    await unmarkViewed(app, viewing, params.file_path)
    return undefined
  },
}
