import type { repositoryFileWriteEndpoints } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { createFile, deleteFile, updateFile } from './repository-file-write.service.ts'

export const repositoryFileWriteHandlers: Handlers<typeof repositoryFileWriteEndpoints> = {
  async create({ app, subject, caller, params, body }) {
    return createFile(app, { subject, caller }, params.file_path, body)
  },

  async update({ app, subject, caller, params, body }) {
    return updateFile(app, { subject, caller }, params.file_path, body)
  },

  async delete({ app, subject, caller, params, query }) {
    return deleteFile(app, { subject, caller }, params.file_path, query)
  },
}
