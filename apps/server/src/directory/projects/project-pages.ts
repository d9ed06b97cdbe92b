import { DomainError, hasScope } from '@stithy/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { IdentifyCaller } from '../../platform/http/identify.ts'
import { type ProjectSubject, requireProject } from './project-subject.ts'

/** A project is in a namespace, which has at most twenty levels. */
const depths = Array.from({ length: 20 }, (_, index) => index + 2)

/** A request for a page of a project that the caller may read. */
export interface ProjectVisit<Param extends string> {
  app: App
  caller: Caller
  project: ProjectSubject
  params: Readonly<Record<Param, string>>
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Serves what is below the web page of projects: `/<project><path>`. The path of a project has any
 * number of segments, and a wildcard for all of them would match every other URL as well, so there
 * is a route for each number.
 */
export function registerProjectPage<Param extends string>(
  server: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
  path: string,
  serve: (visit: ProjectVisit<Param>) => Promise<FastifyReply>,
): void {
  const config = { identifiesCaller: true } as const
  for (const depth of depths) {
    const names = Array.from({ length: depth }, (_, index) => `part${index}`)
    const url = names.map((name) => `/:${name}`).join('') + path
    server.get(url, { config }, async (request, reply) => {
      const caller = await identifyCaller(request, reply)
      requireScope(caller)
      const params = request.params as Record<string, string> & Record<Param, string>
      const project = await requireProject(app, names.map((name) => params[name]).join('/'), caller)
      return serve({ app, caller, project, params, request, reply })
    })
  }
}

function requireScope({ user, scopes }: Caller): void {
  if (user !== null && !hasScope(scopes, ['api'])) {
    throw new DomainError('insufficient_scope', { scopes: ['api'] })
  }
}
