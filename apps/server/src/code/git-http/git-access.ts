import { anonymous, type CallerFacts, decideOnProject } from '@stithy/core'
import { type Repository, repositoryExists, type TransportService } from '@stithy/git'
import type { FastifyRequest } from 'fastify'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { authenticateBasic, type GitCaller } from './basic.ts'
import { askForCredentials, GitRefusalError } from './git-refusal.ts'

/** An authorized request. */
export interface Admission {
  subject: ProjectSubject
  caller: Caller
  repository: Repository
}

/** Who sends a git request. */
export interface GitVisitor {
  /** Undefined without credentials. */
  git: GitCaller | undefined
  caller: Caller
}

/**
 * Authorizes a fetch or push. A request without credentials is asked for some unless the code is
 * public; one with wrong credentials is refused even there.
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

/** Identifies who sends a request. @throws GitRefusalError, DomainError for wrong credentials */
export async function identifyVisitor(app: App, request: FastifyRequest): Promise<GitVisitor> {
  const git = await identify(app, request)
  return { git, caller: callerOf(git) }
}

/**
 * Authorizes a visitor; undefined if the project does not exist or is hidden from them.
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

/** A deploy token has the rights of a Reporter in its project. */
function asReader(subject: ProjectSubject, git: GitCaller | undefined): ProjectSubject {
  if (git?.projectId !== subject.row.id) return subject
  return { ...subject, facts: { ...subject.facts, level: 20 } }
}

/** @throws GitRefusalError for a project that does not exist or is hidden */
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
    throw new GitRefusalError(403, 'The token lacks the required scope.')
  }
  if (!allowed) throw new GitRefusalError(403, reason ? `${reason}.` : refusals[ability])
}

const refusals = {
  push_code: 'You are not allowed to push code to this project.',
  read_code: 'You are not allowed to download code from this project.',
}

function hidden(): GitRefusalError {
  return new GitRefusalError(
    404,
    'The repository does not exist, or you are not allowed to see it.',
  )
}
