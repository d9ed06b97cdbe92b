import { notFound } from '@stithy/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { partOf, sendContent } from '../http/content.ts'
import type { IdentifyCaller } from '../http/identify.ts'
import { sandboxHeaders } from '../http/sandbox.ts'
import { readAvatar } from './avatar-files.ts'
import { type AvatarKind, avatarFilename, avatarKinds } from './avatar-url.ts'

interface AvatarPath {
  kind: string
  id: string
  filename: string
}

/**
 * Loads the `avatar` column of a user, group or project that is visible to the caller; null without
 * one.
 * @throws DomainError `not_found`
 */
export type FindAvatar = (
  app: App,
  caller: Caller,
  kind: AvatarKind,
  id: string,
) => Promise<string | null>

/** Serves avatars; those of groups and projects only to callers who may see these. */
export async function registerUploads(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
  findAvatar: FindAvatar,
): Promise<void> {
  const config = { identifiesCaller: true } as const
  const url = '/uploads/-/system/:kind/avatar/:id/:filename'
  server.get(url, { config }, async (request, reply) => {
    const { kind, id, filename } = request.params as AvatarPath
    const caller = await identifyCaller(request, reply)
    const avatar = isKind(kind) && isId(id) ? await findAvatar(app, caller, kind, id) : null
    if (avatar === null || avatarFilename(avatar) !== filename) throw notFound('Avatar')
    return sendPicture(app, request, reply, avatar)
  })
}

/** Sends an image that was uploaded. @throws DomainError `not_found` for a missing file */
export async function sendPicture(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  avatar: string,
): Promise<FastifyReply> {
  const picture = await readAvatar(app.config, avatar)
  if (picture === undefined) throw notFound('Avatar')
  const { bytes, type, tag, filename } = picture
  return sendContent(request, reply, {
    etag: `"${tag}"`,
    size: bytes.length,
    describe: () => ({
      'content-type': type,
      'content-disposition': `inline; filename="${filename}"`,
      ...sandboxHeaders,
    }),
    open: (range) => partOf(bytes, range),
  })
}

function isKind(kind: string): kind is AvatarKind {
  return (avatarKinds as readonly string[]).includes(kind)
}

function isId(id: string): boolean {
  return /^\d{1,15}$/.test(id)
}
