import { notFound } from '@stithy/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../../platform/app.ts'
import { sendContent } from '../../platform/http/content.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { openUpload } from '../../platform/uploads/upload-files.ts'
import { uploadHeaders } from '../../platform/uploads/upload-headers.ts'
import { uploadRoute } from '../../platform/uploads/upload-route.ts'
import { type ProjectVisit, registerProjectPage } from '../projects/project-pages.ts'

/** Serves `/<project>/uploads/<secret>/<filename>` to everyone who may read the project. */
export function registerProjectUploads(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): void {
  registerProjectPage(server, app, identifyCaller, uploadRoute, serve)
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
  const { handle, size, type } = upload
  let isSent = false
  try {
    return await sendContent(request, reply, {
      // A file is never changed, and no two have the same secret.
      etag: `"${params.secret}"`,
      size,
      describe: () => uploadHeaders(type, params.filename),
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
