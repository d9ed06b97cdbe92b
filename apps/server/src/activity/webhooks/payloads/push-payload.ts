import {
  type NamedRef,
  pushOptionTree,
  type RefUpdate,
  tagMessage as withoutSignature,
} from '@stithy/core'
import {
  changedPaths,
  countCommits,
  listCommits,
  readTag,
  resolveCommit,
  zeroOid,
} from '@stithy/git'
import type { ProjectRow, UserRow } from '@stithy/store'
import { historyOfPush } from '../../../code/pushes/push-data.ts'
import type { App } from '../../../platform/app.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { avatarUrl } from '../../../platform/uploads/avatar-url.ts'
import { hookCommit, hookProjectWithAliases, hookRepository } from './shared.ts'

/** Maximum number of commits in a body; the newest are taken. */
const maxCommits = 20

/** A moved ref with what its body needs. */
export interface PushedRef {
  update: RefUpdate
  named: NamedRef
  /** Who pushed; undefined if the user was deleted. */
  user: UserRow | undefined
  /** The default branch and its tip when the push was recorded. */
  defaultBranch: string | null
  head: string | null
  options: readonly string[]
}

/** Builds the body of `push` and `tag_push` hooks. */
export async function buildPushPayload(app: App, row: ProjectRow, pushed: PushedRef) {
  const { config } = app
  const { update, named, user } = pushed
  const event = named.type === 'tag' ? 'tag_push' : 'push'
  const { commits, total } = await commitsOf(app, row, pushed)
  const project = hookProjectWithAliases(config, row)
  return {
    object_kind: event,
    event_name: event,
    before: update.before ?? zeroOid,
    after: update.after ?? zeroOid,
    ref: update.ref,
    checkout_sha: await checkoutOf(app, row, update),
    message: await tagMessage(app, row, pushed),
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    user_username: user?.username ?? null,
    user_email: user?.email ?? null,
    user_avatar: user === undefined ? null : avatarUrl(config, 'user', user.id, user.avatar),
    project_id: row.id,
    project,
    commits,
    total_commits_count: total,
    push_options: pushOptionTree(pushed.options),
    repository: {
      ...hookRepository(config, row),
      git_http_url: project.git_http_url,
      git_ssh_url: project.git_ssh_url,
      visibility_level: project.visibility_level,
    },
  }
}

/** The commit that the ref points to; null if it was deleted or points to something else. */
async function checkoutOf(app: App, row: ProjectRow, { after }: RefUpdate): Promise<string | null> {
  if (after === null) return null
  return (await resolveCommit(app.git, repositoryOf(app, row), after)) ?? null
}

/** The message of an annotated tag. */
async function tagMessage(
  app: App,
  row: ProjectRow,
  { named, update }: PushedRef,
): Promise<string | null> {
  if (named.type !== 'tag' || update.after === null) return null
  const tag = await readTag(app.git, repositoryOf(app, row), update.after)
  return tag === undefined ? null : withoutSignature(tag.message)
}

/**
 * The newest of the new commits, oldest first, with the files that they change; and their total.
 */
async function commitsOf(app: App, row: ProjectRow, pushed: PushedRef) {
  const repository = repositoryOf(app, row)
  const history = await historyOfPush(app, { ...row, ...pushed }, pushed)
  if (history === undefined) return { commits: [], total: 0 }
  const found = await listCommits(app.git, repository, { ...history, limit: maxCommits })
  const total = await countCommits(app.git, repository, history)
  const changes = await changedPaths(
    app.git,
    repository,
    found.map(({ oid }) => oid),
  )
  const commits = found.toReversed().map((commit) => ({
    ...hookCommit(app.config, row, commit),
    ...(changes.get(commit.oid) ?? { added: [], modified: [], removed: [] }),
  }))
  return { commits, total }
}
