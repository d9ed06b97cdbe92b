import { type AppearanceFile, appearanceFiles, notFound } from '@stithy/core'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { avatarFilename } from '../../platform/uploads/avatar-url.ts'
import { sendPicture } from '../../platform/uploads/uploads.ts'
import { fileColumns, loadAppearance } from './appearance.service.ts'

/** Serves the pictures of the pages to everyone: the sign-in page shows them. */
export function registerAppearanceFiles(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): void {
  const config = { identifiesCaller: true } as const
  const url = '/uploads/-/system/appearance/:kind/1/:filename'
  server.get(url, { config }, async (request, reply) => {
    const { kind, filename } = request.params as { kind: string; filename: string }
    await identifyCaller(request, reply)
    const file = isKind(kind) ? (await loadAppearance(app.db))[fileColumns[kind]] : null
    if (file === null || avatarFilename(file) !== filename) throw notFound('File')
    return sendPicture(app, request, reply, file)
  })
}

function isKind(kind: string): kind is AppearanceFile {
  return (appearanceFiles as readonly string[]).includes(kind)
}
