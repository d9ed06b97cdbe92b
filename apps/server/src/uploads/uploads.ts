import { notFound } from '@stithy/core'
import { findUser } from '@stithy/store'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { authenticate } from '../http/authenticate.ts'
import { requireGroup, requireProject } from '../http/authorize.ts'
import type { Params } from '../http/nested-params.ts'
import { readAvatar } from './avatar-files.ts'
import { type AvatarKind, avatarFilename, avatarKinds } from './avatar-url.ts'

interface AvatarPath {
  kind: string
  id: string
  filename: string
}

/** Serves uploaded pictures; those of groups and projects to whom may see these. */
export async function registerUploads(server: FastifyInstance, app: App): Promise<void> {
  server.get('/uploads/-/system/:kind/avatar/:id/:filename', async (request, reply) => {
    const { kind, id, filename } = request.params as AvatarPath
    const avatar = isKind(kind) && isId(id) ? await findAvatar(app, request, kind, id) : null
    if (avatar === null || avatarFilename(avatar) !== filename) throw notFound('Avatar')
    const picture = await readAvatar(app.config, avatar)
    if (picture === undefined) throw notFound('Avatar')
    const etag = `"${picture.tag}"`
    reply.headers({
      'content-type': picture.type,
      'content-disposition': `inline; filename="${picture.filename}"`,
      // A picture never acts as a page, whatever its bytes are taken for.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.send(picture.bytes)
  })
}

function isKind(kind: string): kind is AvatarKind {
  return (avatarKinds as readonly string[]).includes(kind)
}

function isId(id: string): boolean {
  return /^\d{1,15}$/.test(id)
}

async function findAvatar(
  app: App,
  request: FastifyRequest,
  kind: AvatarKind,
  id: string,
): Promise<string | null> {
  if (kind === 'user') return (await findUser(app.db, Number(id)))?.avatar ?? null
  const caller = await authenticate(app, request, request.query as Params)
  const subject =
    kind === 'project' ? await requireProject(app, id, caller) : await requireGroup(app, id, caller)
  return subject.row.avatar
}
