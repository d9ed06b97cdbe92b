import { anonymous, type CallerFacts, decideOnProject } from '@stithy/core'
import { type Repository, repositoryExists, type TransportService } from '@stithy/git'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { authenticateBasic, type GitCaller } from '../authentication/basic.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { loadProject } from '../projects/project-subject.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { askForCredentials, GitRefusalError } from './git-refusal.ts'

/** A request that may go on. */
export interface Admission {
  subject: ProjectSubject
  caller: Caller
  repository: Repository
}

/**
 * Who may fetch and push what (catalogue: repository, 13). Whoever sends no credentials is asked for some
 * unless the code is public; whoever sends wrong ones is asked for better ones even there.
 * @throws GitRefusalError, DomainError
 */
export async function admit(
  app: App,
  request: FastifyRequest,
  path: string,
  service: TransportService,
): Promise<Admission> {
  const git = await identify(app, request)
  const caller = callerOf(git)
  const subject = await loadProject(app, path, caller)
  const visible = subject && decideOnProject('read_project', caller.facts, subject.facts).allowed
  if (!subject || !visible) throw git === undefined ? askForCredentials() : hidden()
  requireRight(git, caller.facts, subject, service)
  const repository = repositoryOf(app, subject.row)
  if (!(await repositoryExists(repository))) throw hidden()
  return { subject, caller, repository }
}

async function identify(app: App, request: FastifyRequest): Promise<GitCaller | undefined> {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? []
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) throw askForCredentials('Git has to send a user name and a password or token.')
  return authenticateBasic(app, {
    username: decoded.slice(0, colon),
    password: decoded.slice(colon + 1),
    address: request.ip,
  })
}

function callerOf(git: GitCaller | undefined): Caller {
  if (git === undefined) return { facts: anonymous, user: null, scopes: [] }
  const { id, admin, external } = git.user
  return { facts: { userId: id, admin, external }, user: git.user, scopes: [] }
}

function requireRight(
  git: GitCaller | undefined,
  caller: CallerFacts,
  subject: ProjectSubject,
  service: TransportService,
): void {
  const pushes = service === 'receive-pack'
  const ability = pushes ? 'push_code' : 'read_code'
  const { allowed, reason } = decideOnProject(ability, caller, subject.facts)
  if (git === undefined) {
    if (!allowed) throw askForCredentials()
    return
  }
  if (!(pushes ? git.canWrite : git.canRead)) {
    throw new GitRefusalError(403, 'The token has not the scope that this needs.')
  }
  if (!allowed) throw new GitRefusalError(403, reason ? `${reason}.` : refusals[ability])
}

const refusals = {
  push_code: 'You are not allowed to push code to this project.',
  read_code: 'You are not allowed to download code from this project.',
}

function hidden(): GitRefusalError {
  return new GitRefusalError(404, 'There is no such repository, or you are not allowed to see it.')
}
