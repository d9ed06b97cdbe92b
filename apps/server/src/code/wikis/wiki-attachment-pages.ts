import { decideOnProject, notFound } from '@stithy/core'
import { findEntry, maxObjectBytes, objectInfo } from '@stithy/git'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ProjectVisit, registerProjectPage } from '../../directory/projects/project-pages.ts'
import type { App } from '../../platform/app.ts'
import { enforce } from '../../platform/http/authorize.ts'
import { sendContent } from '../../platform/http/content.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { signalOf } from '../../platform/http/register.ts'
import { mediaType } from '../../platform/uploads/media-type.ts'
import { uploadFilename } from '../../platform/uploads/upload-filename.ts'
import { uploadHeaders } from '../../platform/uploads/upload-headers.ts'
import { uploadRoute } from '../../platform/uploads/upload-route.ts'
import { blobContent, readSmall } from '../files/content.service.ts'
import { openWiki } from './wiki-repository.ts'

/**
 * Serves `/<project>/wikis/uploads/<secret>/<filename>`, and the same below `/<project>/-`, to everyone who
 * may read the wiki.
 */
export function registerWikiAttachments(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): void {
  registerProjectPage(server, app, identifyCaller, `/wikis${uploadRoute}`, serve)
  registerProjectPage(server, app, identifyCaller, `/-/wikis${uploadRoute}`, serve)
}

async function serve(visit: ProjectVisit<'secret' | 'filename'>): Promise<FastifyReply> {
  const { app, caller, project, params, request, reply } = visit
  enforce(decideOnProject('read_wiki', caller.facts, project.facts), caller, 'Project')
  const { secret, filename } = params
  const { repository, head } = await openWiki(app, project.row)
  if (head === undefined || uploadFilename(filename) !== filename) throw notFound('File')
  const entry = await findEntry(app.git, repository, head, `uploads/${secret}/${filename}`)
  const info = entry?.mode.startsWith('100') && (await objectInfo(app.git, repository, entry.oid))
  if (!info) throw notFound('File')
  const describe = async () => {
    const isSmall = info.size <= maxObjectBytes
    const type = isSmall ? mediaType(await readSmall(app, repository, info.oid)) : undefined
    return uploadHeaders(type, filename)
  }
  const signal = () => signalOf(reply)
  const reader = { app, caller, subject: project, signal, repository }
  return sendContent(request, reply, blobContent(reader, info, describe))
}
