import { decideOnProject, notFound } from '@stithy/core'
import { findEntry, maxObjectBytes, objectInfo, readObject, streamBlob } from '@stithy/git'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ProjectVisit, registerProjectPage } from '../../directory/projects/project-pages.ts'
import type { App } from '../../platform/app.ts'
import { enforce } from '../../platform/http/authorize.ts'
import { contentDisposition } from '../../platform/http/content-disposition.ts'
import { isUnchanged } from '../../platform/http/entity-tag.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { mediaType } from '../../platform/uploads/media-type.ts'
import { uploadFilename } from '../../platform/uploads/upload-filename.ts'
import { openWiki } from './wiki-repository.ts'

/** Serves `/<project>/wikis/uploads/<secret>/<filename>` to everyone who may read the wiki. */
export function registerWikiAttachments(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): void {
  registerProjectPage(server, app, identifyCaller, '/wikis/uploads/:secret/:filename', serve)
}

async function serve(visit: ProjectVisit<'secret' | 'filename'>): Promise<FastifyReply> {
  const { app, caller, project, params, request, reply } = visit
  enforce(decideOnProject('read_wiki', caller.facts, project.facts), caller, 'Project')
  const { secret, filename } = params
  const { repository, head } = await openWiki(app, project.row)
  if (head === undefined || !/^[0-9a-f]{32}$/.test(secret)) throw notFound('File')
  if (uploadFilename(filename) !== filename) throw notFound('File')
  const entry = await findEntry(app.git, repository, head, `uploads/${secret}/${filename}`)
  const info = entry?.mode.startsWith('100') && (await objectInfo(app.git, repository, entry.oid))
  if (!info) throw notFound('File')
  const etag = `"${info.oid}"`
  if (isUnchanged(request, etag)) return reply.code(304).header('etag', etag).send()
  if (info.size > maxObjectBytes) {
    reply.headers(headersOf({ ...info, etag, type: undefined }, filename))
    // Fastify reads the body of a HEAD, and drops it.
    return reply.send(streamBlob(app.git, repository, info.oid))
  }
  const content = (await readObject(app.git, repository, info.oid))?.content
  if (content === undefined) throw notFound('File')
  reply.headers(headersOf({ ...info, etag, type: mediaType(content) }, filename))
  return reply.send(content)
}

interface Attachment {
  size: number
  etag: string
  /** The media type of what a browser may show. */
  type: string | undefined
}

/** A browser shows images, audio and video, and downloads the rest: it never runs any of it. */
function headersOf({ size, etag, type }: Attachment, filename: string): Record<string, string> {
  const kind = type === undefined ? 'attachment' : 'inline'
  return {
    etag,
    'content-type': type ?? 'application/octet-stream',
    'content-length': String(size),
    'content-disposition': contentDisposition(kind, filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
}
