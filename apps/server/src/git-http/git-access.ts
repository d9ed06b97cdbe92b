import { anonymous, type CallerFacts, decideOnProject } from '@stithy/core'
import { type Repository, repositoryExists, type TransportService } from '@stithy/git'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { authenticateBasic, type GitCaller } from '../authentication/basic.ts'
import type { Caller } from '../http/call.ts'
import { loadProject, type ProjectSubject } from '../projects/project-subject.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { askForCredentials, GitRefusalError } from './git-refusal.ts'

/** A request that may go on. */
export interface Admission {
  subject: ProjectSubject
  caller: Caller
  repository: Repository
}

/** Who sends a request of git. */
export interface GitVisitor {
  /** Undefined where no credentials came. */
  git: GitCaller | undefined
  caller: Caller
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
  const visitor = await identifyVisitor(app, request)
  return (await admitVisitor(app, visitor, path, service)) ?? refuseHidden(visitor)
}

/** Who sends a request. @throws GitRefusalError, DomainError for wrong credentials */
export async function identifyVisitor(app: App, request: FastifyRequest): Promise<GitVisitor> {
  const git = await identify(app, request)
  return { git, caller: callerOf(git) }
}

/**
 * Lets a visitor in; undefined where there is no such project, or none that they can see.
 * @throws GitRefusalError
 */
export async function admitVisitor(
  app: App,
  { git, caller }: GitVisitor,
  path: string,
  service: TransportService,
): Promise<Admission | undefined> {
  const found = await loadProject(app, path, caller)
  const subject = found && asReader(found, git)
  if (!subject || !decideOnProject('read_project', caller.facts, subject.facts).allowed) {
    return undefined
  }
  requireRight(git, caller.facts, subject, service)
  const repository = repositoryOf(app, subject.row)
  if (!(await repositoryExists(repository))) throw hidden()
  return { subject, caller, repository }
}

/** A deploy token reads its project as a Reporter does (catalogue: repository, 13). */
function asReader(subject: ProjectSubject, git: GitCaller | undefined): ProjectSubject {
  if (git?.projectId !== subject.row.id) return subject
  return { ...subject, facts: { ...subject.facts, level: 20 } }
}

/** @throws GitRefusalError for what is not there, or not to be seen */
export function refuseHidden({ git }: GitVisitor): never {
  throw git === undefined ? askForCredentials() : hidden()
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
  if (!git?.user) return { facts: anonymous, user: null, scopes: [] }
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
