import type { repositoryFilesContract } from '@stithy/core'
import { Answer, type Handlers } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { blobContent, readEncoded } from './content.service.ts'
import { readLines } from './file-lines.service.ts'
import {
  fileHeaders,
  presentBlame,
  presentFile,
  presentLines,
  rawHeaders,
} from './repository-file.presenter.ts'
import { blame, blobOf, locateFile, requireFile, withDigest } from './repository-file.service.ts'
import { repositoryFileWriteHandlers } from './repository-file-write.handlers.ts'

export const repositoryFileHandlers: Handlers<typeof repositoryFilesContract> = {
  ...repositoryFileWriteHandlers,

  async show({ app, subject, params, query }) {
    const file = await requireFile(app, subject.row, params.file_path, query.ref)
    // HEAD must send the entity tag that GET sends, which depends on the body.
    const content = await readEncoded(app, subject.row, blobOf(file))
    return new Answer(200, presentFile(file, content), fileHeaders(file))
  },

  async raw({ app, caller, subject, params, query, signal }) {
    const file = await locateFile(app, subject.row, params.file_path, query.ref)
    const reader = { app, caller, subject, signal, repository: repositoryOf(app, subject.row) }
    return blobContent(reader, blobOf(file), async () =>
      rawHeaders(await withDigest(app, subject.row, file, signal())),
    )
  },

  async lines({ app, subject, params, query }) {
    const file = await locateFile(app, subject.row, params.file_path, query.ref)
    return presentLines(file, await readLines(app, subject.row, file))
  },

  async blame({ app, subject, params, query, signal }) {
    const file = await requireFile(app, subject.row, params.file_path, query.ref)
    const ranges = await blame(app, subject.row, file, signal())
    return new Answer(200, presentBlame(ranges), fileHeaders(file))
  },
}
