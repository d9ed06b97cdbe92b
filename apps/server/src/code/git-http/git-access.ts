import { anonymous, DomainError, decideOnProject, wikiOwnerPath } from '@stithy/core'
import { type Repository, repositoryExists, type TransportService } from '@stithy/git'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lacksTerms, termsText } from '../../directory/authentication/terms.ts'
import {
  collaborationBranches,
  loadProject,
  type ProjectSubject,
} from '../../directory/projects/project-subject.ts'
import { followRedirects } from '../../directory/redirects/moved-path.service.ts'
import type { App } from '../../platform/app.ts'
import type { AnonymousGuard } from '../../platform/http/anonymous-guard.ts'
import { type Caller, callerOf } from '../../platform/http/call.ts'
import { countRefusals } from '../../platform/http/identify.ts'
import { signalOf } from '../../platform/http/register.ts'
import { admitUser } from '../../platform/http/user-limits.ts'
import {
  type RepositoryLocation,
  repositoryOf,
  wikiLocationOf,
} from '../../platform/repositories/repository-location.ts'
import { authenticateBasic, type GitCaller } from './basic.ts'
import { askForCredentials, GitHttpError } from './git-http-error.ts'

/** An authorized request. */
export interface GitAccess {
  subject: ProjectSubject
  caller: Caller
  /** That of a wiki need not exist before it is written to. */
  repository: Repository
  /** Where the repository is stored. */
  location: RepositoryLocation
  /** Whether it is the repository of the project's wiki. */
  isWiki: boolean
  /** Whether it was a deploy key that was authorized. */
  deployKey: boolean
  /** The path of the project before, if it was asked for by that. */
  movedFrom: string | undefined
}

/** Who sends a git request. */
export interface GitRequester {
  /** Undefined without credentials. */
  git: GitCaller | undefined
  caller: Caller
}

/**
 * Authorizes a fetch or push. A request without credentials is asked for some unless the code is
 * public; one with wrong credentials is refused even there.
 * @throws GitHttpError, DomainError
 */
export async function authorizeGit(
  app: App,
  requester: GitRequester,
  path: string,
  service: TransportService,
): Promise<GitAccess> {
  return (await authorizeRequester(app, requester, path, service)) ?? refuseHidden(requester)
}

/**
 * Identifies who sends a request; those without valid credentials count against the anonymous rate
 * limit.
 * @throws GitHttpError, DomainError for wrong credentials
 */
export async function identifyRequester(
  app: App,
  guard: AnonymousGuard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<GitRequester> {
  const git = await countRefusals({ guard }, request, reply, () => identify(app, request, reply))
  if (git === undefined) guard(request, reply)
  else if (git.user) admitUser(app, request, git.user.id)
  return { git, caller: gitCaller(git) }
}

/**
 * Authorizes a requester; undefined if the project does not exist or is hidden from them.
 * @throws GitHttpError
 */
export async function authorizeRequester(
  app: App,
  { git, caller }: GitRequester,
  path: string,
  service: TransportService,
): Promise<GitAccess | undefined> {
  // A deploy key has no rights of a user's.
  if (git?.user && !git.deployKey && lacksTerms(app, git.user)) {
    throw new GitHttpError(403, termsText(app, git.user))
  }
  const { found, isWiki, movedFrom } = await findAddressed(app, path, caller)
  const subject = found && withDeployLevel(found, git)
  if (!subject || !decideOnProject('read_project', caller.facts, subject.facts).allowed) {
    return undefined
  }
  const access = { subject, caller, isWiki, deployKey: git?.deployKey ?? false, movedFrom }
  await requireRight(app, { git, caller }, access, service)
  const location = isWiki ? wikiLocationOf(subject.row) : subject.row
  const repository = repositoryOf(app, location)
  if (!isWiki && !(await repositoryExists(repository))) throw hidden()
  return { ...access, location, repository }
}

interface Addressed {
  found: ProjectSubject | undefined
  isWiki: boolean
  /** The path of the project before, if it is at another one now. */
  movedFrom?: string
}

/** The project or wiki at a path, or the one that was there before. */
async function findAddressed(app: App, path: string, caller: Caller): Promise<Addressed> {
  const here = await findAt(app, path, caller)
  if (here.found !== undefined) return here
  const owner = wikiOwnerPath(path)
  const movedFrom = owner ?? path
  const moved = await followRedirects(app.db, movedFrom)
  if (moved === undefined) return here
  return { found: await loadProject(app, moved, caller), isWiki: owner !== undefined, movedFrom }
}

/** The project at a path, or the one whose wiki is there: `<project>.wiki`. */
async function findAt(app: App, path: string, caller: Caller): Promise<Addressed> {
  const owner = wikiOwnerPath(path)
  const ofWiki = owner === undefined ? undefined : await loadProject(app, owner, caller)
  if (ofWiki !== undefined) return { found: ofWiki, isWiki: true }
  return { found: await loadProject(app, path, caller), isWiki: false }
}

/** The repository that a push or fetch finds; undefined before it is created. */
export async function existingRepository(
  admitted: GitAccess | object,
): Promise<Repository | undefined> {
  if (!('repository' in admitted)) return undefined
  const { repository, isWiki } = admitted
  return isWiki && !(await repositoryExists(repository)) ? undefined : repository
}

/** Deploy tokens and keys have the rights of a Reporter in their project, or of a Developer. */
function withDeployLevel(subject: ProjectSubject, git: GitCaller | undefined): ProjectSubject {
  if (git?.projectId !== subject.row.id) return subject
  return { ...subject, facts: { ...subject.facts, level: git.canWrite ? 30 : 20 } }
}

/** @throws GitHttpError for a project that does not exist or is hidden */
export function refuseHidden({ git }: GitRequester): never {
  throw git === undefined ? askForCredentials() : hidden()
}

async function identify(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<GitCaller | undefined> {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? []
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) {
    throw new DomainError('unauthorized', {
      message: 'Git has to send a user name and a password or token.',
    })
  }
  return authenticateBasic(app, {
    username: decoded.slice(0, colon),
    password: decoded.slice(colon + 1),
    address: request.ip,
    signal: signalOf(reply),
  })
}

function gitCaller(git: GitCaller | undefined): Caller {
  return git?.user ? callerOf(git.user) : { facts: anonymous, user: null, scopes: [] }
}

async function requireRight(
  app: App,
  { git, caller }: GitRequester,
  { subject, isWiki }: Pick<GitAccess, 'subject' | 'isWiki'>,
  service: TransportService,
): Promise<void> {
  const pushes = service === 'receive-pack'
  const ability = abilities[isWiki ? 'wiki' : 'code'][service]
  const branches = pushes && !isWiki ? await collaborationBranches(app, caller, subject) : undefined
  const facts = { ...subject.facts, collaborates: (branches?.size ?? 0) > 0 }
  const { allowed, reason } = decideOnProject(ability, caller.facts, facts)
  if (git === undefined) {
    if (!allowed) throw askForCredentials()
    return
  }
  if (!(pushes ? git.canWrite : git.canRead)) {
    throw new GitHttpError(403, 'The token lacks the required scope.')
  }
  if (!allowed) throw new GitHttpError(403, reason ? `${reason}.` : refusals[ability])
}

const abilities = {
  code: { 'receive-pack': 'push_to_branch', 'upload-pack': 'read_code' },
  wiki: { 'receive-pack': 'create_wiki', 'upload-pack': 'read_wiki' },
} as const

const refusals = {
  push_to_branch: 'You are not allowed to push code to this project.',
  read_code: 'You are not allowed to download code from this project.',
  create_wiki: 'You are not allowed to write to the wiki of this project.',
  read_wiki: 'You are not allowed to read the wiki of this project.',
}

function hidden(): GitHttpError {
  return new GitHttpError(404, 'The repository does not exist, or you are not allowed to see it.')
}
