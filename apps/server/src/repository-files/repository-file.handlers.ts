import { Readable } from 'node:stream'
import type { repositoryFilesContract } from '@stithy/core'
import { Answer, type Handlers } from '../http/call.ts'
import { fileHeaders, presentFile, rawHeaders } from './repository-file.presenter.ts'
import { readEncoded, readFile, requireFile } from './repository-file.service.ts'

export const repositoryFileHandlers: Handlers<typeof repositoryFilesContract> = {
  async show({ app, subject, params, query }) {
    const file = await requireFile(app, subject.row, params.file_path, query.ref)
    // HEAD must tell the entity tag that GET tells, which follows from the body.
    const content = await readEncoded(app, subject.row, file)
    return new Answer(200, presentFile(file, content), fileHeaders(file))
  },

  async raw({ app, subject, params, query, method }) {
    const file = await requireFile(app, subject.row, params.file_path, query.ref)
    // A stream without content keeps the length that the headers tell.
    const body = method === 'HEAD' ? Readable.from([]) : await readFile(app, subject.row, file)
    return { headers: rawHeaders(file), body }
  },
}
