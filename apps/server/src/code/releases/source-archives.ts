import { archiveFormat, DomainError, decideOnProject, hasScope, notFound } from '@stithy/core'
import { findTag } from '@stithy/git'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProjectRow } from '../../directory/projects/project-subject.ts'
import { requireProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { signalOf } from '../../platform/http/register.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { archiveHeaders } from '../repositories/archives/archive.presenter.ts'
import { packArchive } from '../repositories/archives/archive.service.ts'
import type { ResolvedArchive } from '../repositories/archives/resolved-archive.ts'
import { resolveRef } from '../revisions/revision.service.ts'

/** A project is in a namespace, which has at most twenty levels. */
const depths = Array.from({ length: 20 }, (_, index) => index + 2)

/**
 * Serves the sources of releases at `/<project>/-/archive/<tag>/<file>.<format>` to users who may
 * read the code. The path of a project has any number of segments, and a wildcard for all of them
 * would match every other URL as well, so there is a route for each number.
 */
export function registerSourceArchives(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): void {
  const config = { identifiesCaller: true } as const
  for (const depth of depths) {
    const project = Array.from({ length: depth }, (_, index) => `/:part${index}`).join('')
    server.get(`${project}/-/archive/*`, { config }, async (request, reply) =>
      serve(app, await identifyCaller(request, reply), request, reply),
    )
  }
}

async function serve(
  app: App,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { '*': rest = '', ...parts } = request.params as Record<string, string>
  requireScope(caller)
  const project = await requireCode(app, Object.values(parts).join('/'), caller)
  const archive = await requireSource(app, project, rest)
  reply.headers(archiveHeaders(archive))
  if (request.method === 'HEAD') return reply.send()
  return reply.send(await packArchive(app, { project, caller }, archive, signalOf(reply)))
}

function requireScope({ user, scopes }: Caller): void {
  if (user !== null && !hasScope(scopes, ['api'])) {
    throw new DomainError('insufficient_scope', { scopes: ['api'] })
  }
}

async function requireCode(app: App, path: string, caller: Caller): Promise<ProjectRow> {
  const subject = await requireProject(app, path, caller)
  enforce(decideOnProject('read_code', caller.facts, subject.facts), caller)
  return subject.row
}

/** `v1/rc/project-v1-rc.tar.gz`: the tag, else branch or commit, `v1/rc` as a `tar.gz`. */
async function requireSource(
  app: App,
  project: ProjectRow,
  rest: string,
): Promise<ResolvedArchive> {
  const slash = rest.lastIndexOf('/')
  const ref = rest.slice(0, Math.max(slash, 0))
  const [, suffix = ''] = /\.((?:tar\.)?[a-z0-9]+)$/.exec(rest.slice(slash + 1)) ?? []
  const format = archiveFormat(suffix)
  const commitId = ref === '' ? undefined : await resolveSource(app, project, ref)
  if (format === undefined || commitId === undefined) throw notFound('File')
  return { format, name: `${project.path}-${ref.replaceAll('/', '-')}`, commitId }
}

async function resolveSource(
  app: App,
  project: ProjectRow,
  ref: string,
): Promise<string | undefined> {
  const tag = await findTag(app.git, repositoryOf(app, project), ref)
  return resolveRef(app, project, tag === undefined ? ref : `refs/tags/${ref}`)
}
