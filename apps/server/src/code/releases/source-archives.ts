import { archiveFormat, decideOnProject, notFound } from '@stithy/core'
import { findTag } from '@stithy/git'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ProjectVisit, registerProjectPage } from '../../directory/projects/project-pages.ts'
import type { ProjectRow } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { enforce } from '../../platform/http/authorize.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { signalOf } from '../../platform/http/register.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { archiveHeaders } from '../repositories/archives/archive.presenter.ts'
import { packArchive } from '../repositories/archives/archive.service.ts'
import type { ResolvedArchive } from '../repositories/archives/resolved-archive.ts'
import { resolveRef } from '../revisions/revision.service.ts'

/** Serves the sources of releases at `/<project>/-/archive/<tag>/<file>.<format>`. */
export function registerSourceArchives(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): void {
  registerProjectPage(server, app, identifyCaller, '/-/archive/*', serve)
}

async function serve(visit: ProjectVisit<'*'>): Promise<FastifyReply> {
  const { app, caller, project, params, request, reply } = visit
  enforce(decideOnProject('read_code', caller.facts, project.facts), caller)
  const archive = await requireSource(app, project.row, params['*'])
  if (request.method === 'HEAD') return reply.headers(archiveHeaders(archive)).send()
  const packed = await packArchive(app, { project: project.row, caller }, archive, signalOf(reply))
  return reply.headers(archiveHeaders(archive)).send(packed)
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
