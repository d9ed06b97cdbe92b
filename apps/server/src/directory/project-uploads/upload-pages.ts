import { notFound } from '@stithy/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../../platform/app.ts'
import { sendContent } from '../../platform/http/content.ts'
import { contentDisposition } from '../../platform/http/content-disposition.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { type OpenUpload, openUpload } from '../../platform/uploads/upload-files.ts'
import { type ProjectVisit, registerProjectPage } from '../projects/project-pages.ts'

/** Serves `/<project>/uploads/<secret>/<filename>` to everyone who may read the project. */
export function registerProjectUploads(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): void {
  registerProjectPage(server, app, identifyCaller, '/uploads/:secret/:filename', serve)
}

async function serve({
  app,
  project,
  params,
  request,
  reply,
}: ProjectVisit<'secret' | 'filename'>): Promise<FastifyReply> {
  const upload = await openUpload(app.config, project.row.id, params)
  if (upload === undefined) throw notFound('File')
  const { handle, size } = upload
  let isSent = false
  try {
    return await sendContent(request, reply, {
      // A file is never changed, and no two have the same secret.
      etag: `"${params.secret}"`,
      size,
      describe: () => headersOf(upload, params.filename),
      open: (range) => {
        isSent = true
        return handle.createReadStream({ start: 0, ...range })
      },
    })
  } finally {
    // The stream closes it otherwise.
    if (!isSent) await handle.close()
  }
}

/** A browser shows images, audio and video, and downloads the rest: it never runs any of it. */
function headersOf({ type }: OpenUpload, filename: string): Record<string, string> {
  return {
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(
      type === undefined ? 'attachment' : 'inline',
      filename,
    ),
    'content-security-policy': "default-src 'none'; sandbox",
  }
}
